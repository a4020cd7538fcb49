"""The orientation packet: what is known for a task, how far it can be trusted, what is missing (CARD.md)."""
