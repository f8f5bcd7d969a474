"""CoNLL-U: CorefUD, and the exploded format of Universal Anaphora, on what is shared by both.

Of each, `<name>_lines` takes rows and cells apart, `<name>` reads documents, `<name>_writer` writes them and
reads them again; `validity` says what their validator or their scorers could not live with.
"""
