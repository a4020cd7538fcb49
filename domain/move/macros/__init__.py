"""What macros need, make and show: their callers, their bodies, their order."""
