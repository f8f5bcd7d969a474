"""Why a score is what it is: errors of coreference by kind, what each kind costs, and where they are.

    Pair ─▶ MatchedPair ─▶ Overlaps ─▶ Findings ─▶ ErrorReport ─▶ figures, reports
            sides in order  counts     a document   a corpus

Values: `sides`, `kinds`, `shares`, `links`, `error_report`, `systems`. Findings, from documents to the
corpus: `heads`, `mention_types`, `span_errors`, `pair`, `classes`, `breakdown`, `listing`, `findings`,
`corpus`. `table` has a row per dimension, which help texts read, too.
"""
