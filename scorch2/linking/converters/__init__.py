"""Converters to annotations from TAC, brat and CoNLL files, and of annotations, as in neleval."""
