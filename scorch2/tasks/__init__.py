"""Tasks with evidence of their own: each whole, from its files to its text."""
