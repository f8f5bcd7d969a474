"""Findings about a score: errors of coreference by kind, agreement, intervals, and tests of systems.

    Pair ─▶ MatchedPair ─▶ Overlaps ─▶ Findings ─▶ ErrorReport ─▶ reports
            sides in order  counts     a document   a corpus

Values: `kinds`, `links`, `error_report`, `systems`. Findings, from documents to the corpus: `heads`,
`pair`, `breakdown`, `patterns`, `listing`, `second`, `chosen_errors`, `findings`, `corpus`. `table` has a
row per dimension, which help texts read, too.

Intervals and tests work on a matrix (documents × columns) of numbers that add up. A trial is a row of
weights. The average decides what the columns are: tallies, which the metric's own finishing function turns
into scores (pooled), or weighted scores and their weights. Trials are multiplied in blocks, and only the
ends of their intervals are kept, so memory hardly grows with trials or documents.
`bootstrap` makes the matrix, the resamples and the intervals; `paired_tests` tests pairs of systems;
`uncertainty` adds both to analyses of errors and to systems side by side.

Source      Efron & Tibshirani 1993, An introduction to the bootstrap, chapters 13 and 15; quantiles and the
            p-value are those of neleval 3.1.1.
"""
