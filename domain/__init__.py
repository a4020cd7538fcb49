"""Pure rules: aggregates and events, the Rust model and resolver, the move. No I/O, no clock."""

if __name__ != "m1nd.domain":
    raise ImportError("import m1nd.domain, not domain: the layers live inside the m1nd package")
