"""The page: errors of coreference in one HTML file that needs no network, no server and no script.

    Pair ─▶ Scene ─▶ chosen ─▶ overview, where, documents, texts ─▶ whole

A scene is made where a document is analysed; scenes of the lowest documents are kept. All text from files
goes through `scorch2.reports.page.frame.text`.
"""
