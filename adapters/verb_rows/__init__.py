"""The rows of the verb table, by subject. `adapters/verbs.py` is the table."""
