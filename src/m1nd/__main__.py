"""`python -m m1nd`: the same as the console script, by the interpreter's own name."""

from m1nd.adapters.cli import main

main()
