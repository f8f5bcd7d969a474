"""Is a result good enough? Judge thresholds, read baselines, check that two reports can be compared."""
