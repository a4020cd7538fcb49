"""`m1nd demo`: the product's story on a crate of our own, told by the very commands that a user runs."""
