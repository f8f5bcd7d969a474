"""Is it good enough? Bounds and baselines for reports.

`judge` compares scores with bounds, `baseline` reads stored reports, and `comparable` says whether two
reports can be compared.
"""
