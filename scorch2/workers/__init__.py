"""Scoring with several processes, on this machine or on a cluster.

`engine` chooses where two paths are scored; `processes` starts the workers; `tasks` cuts the work, sends it
and puts the results in order.
"""
