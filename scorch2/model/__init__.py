"""Values that travel between the steps, the errors, and the tables of options; imports nothing above it.

* `document`: what every reader returns; `names`: what mentions are called and stand for.
* `markables`: what formats say of mentions besides their clusters.
* `options`: the two tables of options, profiles, and how users type values.
* `score`: tallies, scores and averages; `besides`: what few documents have, too.
* `results`: intervals, classes of mentions, verdicts of gates.
* `errors`: errors, notices and their wording.
"""
