"""CoNLL columns: a strict reader, and a writer."""
