"""Inside items: what a file writes down, path by path, with the lexical scopes around each. Nothing is resolved here."""
