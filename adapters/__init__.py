"""The doors (command line, later MCP) and the one place that wires everything."""

if __name__ != "m1nd.adapters":
    raise ImportError("import m1nd.adapters, not adapters: the layers live inside the m1nd package")
