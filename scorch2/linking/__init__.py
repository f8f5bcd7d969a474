"""Entity linking: evidence, measures, evaluation, text, leaderboards, converters."""
