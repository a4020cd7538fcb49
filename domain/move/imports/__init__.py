"""Imports: written, carried, split, pruned, and what they lead to."""
