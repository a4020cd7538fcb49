"""What implements the application's ports: log, views, files, tree-sitter, Cargo, git, rustfmt."""

if __name__ != "m1nd.infrastructure":
    raise ImportError(
        "import m1nd.infrastructure, not infrastructure: the layers live inside the m1nd package"
    )
