"""Formats of rows: one mention, token or document per line."""
