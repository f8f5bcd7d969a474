"""XML formats, and a parser that expands and fetches nothing."""
