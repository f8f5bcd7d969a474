"""Numbers held against something: bounds, baselines, stored reports, printed numbers, other systems.

`judge` compares scores with bounds, `baseline` reads stored reports, and `comparable` says whether two
reports can be compared. `verify` scores a stored report again, `explain` finds the settings of a printed
number, `cite` the papers behind a report, and `board` ranks reports.
"""
