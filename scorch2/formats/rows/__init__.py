"""Formats of rows: one mention, token or document per line; each file reads one of them, and may write it."""
