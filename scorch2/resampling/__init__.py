"""Bootstrap and permutation over documents: how sure a score is, or a difference of two systems.

Both work on a matrix of numbers that add up over documents, documents × columns; a trial is a row of weights.
What the columns are is the matter of the average: tallies, which the metric's own finishing rule turns into
a score (`pooled`), or weighted scores and their weights (`mentions`, `macro`). Trials are drawn and
multiplied in blocks, so that memory does not grow with trials × documents.

Source      Efron & Tibshirani 1993, An introduction to the bootstrap, chapters 13 and 15; quantiles and the
            p-value are those of neleval 3.1.1.
"""
