"""Hypothesis draws the same examples in every run; `--hypothesis-profile=fresh` draws new and more ones."""

from hypothesis import settings

settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("fixed")
