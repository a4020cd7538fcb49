"""The tray on a terminal: what waits for the human, and the two gestures. Plain without Textual, the same acts in both."""
