"""Entity linking: everything that only this task needs, from files to text.

    formats ─▶ corpus ─▶ evidence ─▶ measures ─▶ evaluation ─▶ text
    Document   Corpus    Linking     Tally       MeasureRow    str
                                                    └─▶ Report ─▶ gate, resampling

* `corpus` reads both sides and pairs their documents. `evidence` holds one side in columns, of which `FIELDS`
  is the table, and compares the keys of both sides.
* `measures` is the table of measures: an aggregator, a filter and a key each.
* `evaluation` makes the rows of ``evaluate``, over the corpus or over groups, and reports of documents, for
  gates, intervals and tests; it names errors (``analyze``), and mentions that overlap (``validate-spans``).
* `text` is what the commands print. `leaderboards` reads what ``evaluate`` printed: ranks, ratios,
  agreement of measures; `figures` shows it.
* `converters` make annotations of other files; `annotation_rows` has their lines, and what changes them.
"""
