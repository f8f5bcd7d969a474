"""The CoNLL reference scorer's command: its reading, its counts and its text, to the last digit.

`scorer` goes from paths to lines of text, and notes where ``score --profile=conll`` differs. `reader` reads
columns as scorer.pl does; `metrics` gives ids to the mentions of both sides and counts.
"""
