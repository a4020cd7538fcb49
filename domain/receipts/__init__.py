"""Receipts: hard evidence, bound to one version of one block (seed 001 §3, BLOCKS.md)."""
