"""Traits in scope: which a call needs, who uses them, what is known of them."""
