"""Stamps: what only a human at a terminal can give (D24, D44)."""
