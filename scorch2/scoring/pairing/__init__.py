"""Step 2, two paths to pairs of documents: every document is accounted for, and nothing is guessed.

    paths ─▶ plan_pairs: files by id ─▶ read_pairs: documents by name

* `files`: the files of a side, by the ids they pair by, and the values `Plan` and `Pair`.
* `pairs`: two folders pair file by file, and inside a pair of files by name; pairs may be joined to one per
  topic.
* `by_name`: names that differ, documents on one side only, a folder against a file.
* `words`: the words of both sides, which should be the same, and documents that pair by them.
* `readers`: documents that cannot be read, to be left out, and windows that are one document.
* `topics`: pairs of a topic as one, sentences that count, and categories, all after pairing.
"""
