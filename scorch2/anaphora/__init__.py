"""The anaphora resolution exercise (ARE): pronouns and chains, scored by its own rules."""
