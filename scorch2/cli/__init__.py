"""The command line: words and streams. Nothing else of the package knows either."""
