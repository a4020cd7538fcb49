"""Delegated work: missions with their closed edge table, the seats at each edge, letters, runner types, delegations."""
