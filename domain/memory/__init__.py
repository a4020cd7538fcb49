"""What is remembered about code and follows it: claims, paint, antibodies. All of it is keyed by `symbol_id` (D30)."""
