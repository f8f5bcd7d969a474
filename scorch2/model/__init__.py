"""Values that travel between the steps, the errors, and small helpers for every step.

The helpers are for messages, escaping, numbers and memory. Nothing here imports anything else of the package.
"""
