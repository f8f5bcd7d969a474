"""The anaphora resolution exercise (ARE 2007): pronouns and chains, scored by its own rules.

    formats ─▶ pairing ─▶ tasks ─▶ averages ─▶ report ─▶ reports
    Document   Pair       Resolved  Score      Report    str

`exercise` scores files or folders for one task. `tasks` is the table of the four tasks: the evidence and the
metric of each. `credit` is for pronouns, `alignment` for the mentions of chains, `overlap` for two spans;
`metrics` makes tallies of them. Pairing, averages and reports are those of coreference.
"""
