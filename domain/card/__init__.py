"""The human card: states, lines, both skins, signature, cadence (CARD.md). Pure text in, pure text out."""
