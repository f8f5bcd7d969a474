"""Mentions that may be the same though they are not equal.

partners     pairs that may be the same, by head, by part, as in CRAFT, zeros; the best of them
pairs        steps: what formats say about mentions, and each with its partner
lookups      steps: mentions that are looked up one by one instead, as other scorers do
"""
