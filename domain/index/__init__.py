"""The index tier: compact facts of all files, linked into a graph, and the questions asked of it. Pure."""
