"""One module a room: `measure(options)` yields its figures."""
