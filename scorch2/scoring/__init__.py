"""Coreference scoring: each step takes a small value and returns another, in this order.

    formats ─▶ pairing ─▶ matching ─▶ contingency ─▶ metrics ─▶ averages ─▶ report ─▶ reports
    Document   Pair       Partition   Contingency    Tally      Score       Report    text

`flow` goes the whole way, from two paths or two documents. `evidence` is what metrics read besides the
contingency table: words, zeros, bridging, split antecedents.
"""
