"""Numbers held against something: bounds, baselines, stored reports, printed numbers, other systems.

`judge` compares scores with bounds and says whether two reports can be compared; `baseline` reads stored
reports. `verify` scores a stored report again, `explain` finds the settings of a printed
number, `cite` the papers behind a report, and `board` ranks reports.
"""

from scorch2.model.options import INPUTS, OPTIONS

OUTSIDE = (
    *(name for name, option in OPTIONS.items() if not option.values),
    *(name for name, row in INPUTS.items() if row.value in ("tsv", "regex")),
)
"""The options with a regular expression or a file: `verify` takes none of a stranger from the report."""
