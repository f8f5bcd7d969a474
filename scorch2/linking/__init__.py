"""Entity linking: everything that only this task needs, from files to text.

    formats ─▶ corpus ─▶ mentions ─▶ evidence ─▶ measures ─▶ evaluation ─▶ text
    Document   Corpus    Mentions    Linking     Tally       MeasureRow    str
                                                    └─────▶ report ─▶ gate, resampling

* `corpus` reads both sides and pairs their documents. `mentions` holds one side in columns; `fields` is the
  table of the columns, for keys, filters and groups.
* `evidence` compares the keys of both sides; `measures` counts: one row of its table per measure, an
  aggregator (`sets`, `overlap`, `clustering`), a filter and a key. `type_weights` reads partial credit.
* `evaluation` makes the rows of ``evaluate``, over the corpus or over groups. `report` makes the tallies of
  documents, for gates, stored reports, intervals and tests.
* `analysis` names errors (``analyze``); `shared_spans` finds mentions that overlap (``validate-spans``).
* `text` is what the commands print. `leaderboards` reads what ``evaluate`` printed: ranks, ratios,
  correlations, figures. `converters` make annotations of other files.
"""
