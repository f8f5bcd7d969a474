"""Coreference scoring: each step takes a small value and returns another, in this order.

formats ─▶ pairing ─▶ matching ─▶ contingency ─▶ metrics ─▶ averages ─▶ report ─▶ reports
Document   Pair       Partition   Contingency    Tally      Score       Report    text
"""
