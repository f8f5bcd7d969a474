"""The exploded format of Universal Anaphora: CoNLL-U with columns for what is coreferent."""
