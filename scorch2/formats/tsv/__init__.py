"""Tab-separated annotations of entity linking."""
