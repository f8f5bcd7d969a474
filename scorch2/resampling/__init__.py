"""Bootstrap and permutation over documents: the uncertainty of a score, or of a difference of two systems.

Both work on a matrix (documents × columns) of numbers that add up. A trial is a row of weights. The average
decides what the columns are: tallies, which the metric itself turns into scores (``pooled``), or weighted
scores and their weights (``mentions``, ``macro``). Trials are multiplied in blocks, and only the ends of
their intervals are kept, so memory hardly grows with trials or documents.

`bootstrap` makes the matrix, the resamples and the intervals; `paired_tests` tests pairs of systems;
`analyses` adds both to analyses of errors and to systems side by side; `text` shows intervals and
differences.

Source      Efron & Tibshirani 1993, An introduction to the bootstrap, chapters 13 and 15; quantiles and the
            p-value are those of neleval 3.1.1.
"""
