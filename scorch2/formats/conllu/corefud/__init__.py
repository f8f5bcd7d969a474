"""CorefUD: CoNLL-U with mentions in the column MISC."""
