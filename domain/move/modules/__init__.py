"""The move of a whole module: its `mod` line goes from one parent to another, and its files with it."""
