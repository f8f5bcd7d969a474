"""The XML of the anaphora resolution exercise."""
