"""The Rust model: facts of a file, the module tree, name resolution, occurrences. Pure code over parsed facts."""
