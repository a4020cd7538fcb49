"""Use cases, one per verb, over the domain and the ports."""

if __name__ != "m1nd.application":
    raise ImportError("import m1nd.application, not application: the layers live inside the m1nd package")
