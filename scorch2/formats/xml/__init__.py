"""XML formats, each in a file, on a parser that expands and fetches nothing."""
