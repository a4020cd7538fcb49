"""m1nd: local, event-sourced memory and context for coding agents, around Rust repositories.

The four code folders stand at the top of the repository and are linked here, so that every import
reads ``m1nd.<layer>.…`` (docs/decisions.md, packaging).
"""

__version__ = "0.1.0"
