"""Several reports of ``evaluate``: score tables, ranks, ratios, correlations, figures and their drawing."""
