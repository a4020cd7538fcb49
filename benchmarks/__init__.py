"""Benchmarks: measured side by side in one run, as ratios. Never part of the tests."""
