"""CoNLL-U: CorefUD, and the exploded format of Universal Anaphora."""
