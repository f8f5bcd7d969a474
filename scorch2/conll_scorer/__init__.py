"""The CoNLL reference scorer's command: its reading, its counts and its text, to the last digit.

`scorer` goes from paths to lines. `reader` reads columns as scorer.pl does; `identification` gives ids to the
mentions of both sides; `metrics` counts; `text` prints. `notes` say where ``score --profile=conll`` differs.
"""
