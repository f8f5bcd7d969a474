"""Mentions that may be the same though they are not equal: candidates, the best pairs, and lookups."""
