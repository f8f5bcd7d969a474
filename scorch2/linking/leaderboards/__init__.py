"""Reports of `evaluate` and `confidence` read back, and what comes of several: ratios, ranks, agreement."""
