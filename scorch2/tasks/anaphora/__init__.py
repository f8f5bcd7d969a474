"""The anaphora resolution exercise (ARE 2007): pronouns and chains, scored by its own rules.

    formats ─▶ pairing ─▶ exercise ─▶ averages ─▶ report ─▶ reports
    Document   Pair       Resolved    Score       Report    str

`exercise` has the table of the four tasks, the evidence and the metric of each, and scores files or folders
for one of them: it finds the credits of pronouns, and aligns the mentions of chains. Pairing, averages and
reports are those of coreference.
"""
