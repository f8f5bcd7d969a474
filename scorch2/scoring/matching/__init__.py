"""Step 3, make a pair comparable: the same kind of mentions on both sides, each in one cluster."""
