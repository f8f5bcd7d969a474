"""Text of the commands of entity linking, one file per kind of report."""
