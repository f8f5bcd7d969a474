"""The command of the CoNLL reference scorer: its reader, its rules for repeats, its numbers and its text."""
