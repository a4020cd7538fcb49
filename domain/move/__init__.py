"""The move of an item: one rule a module; `plan.py` reads like the verb."""
