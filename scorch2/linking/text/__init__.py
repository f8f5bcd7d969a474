"""Text of the commands of entity linking."""
