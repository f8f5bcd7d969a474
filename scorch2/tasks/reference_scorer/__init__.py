"""The CoNLL reference scorer's command: its reading, its counts and its text, to the last digit.

`reader` reads columns as scorer.pl does. `scorer` gives ids to the mentions of both sides, counts, and writes
lines of text; it notes where ``score --profile=conll`` differs.
"""
