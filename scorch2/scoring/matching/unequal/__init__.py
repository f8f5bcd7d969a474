"""Mentions that may be the same though they are not equal.

candidates   pairs that may be the same, with their weights: by head, by part, as in CRAFT, zeros
best         the pairs whose weights add up to most
pairs        steps: what formats say about mentions, and each with its partner
lookups      steps: mentions that are looked up one by one instead, as other scorers do
"""
