"""Step 2, two paths to pairs of documents: every document is accounted for, and nothing is guessed.

    paths ─▶ plan: files by id ─▶ pairs: documents by name

Two folders pair file by file (`plan`), and inside a pair of files by name (`by_file`). A folder against a
file pairs by the names inside the files (`across`). What is left over is refused or skipped as the options
say (`unpaired`). Pairs may be joined to one per topic (`joined`). What only names that differ need is
imported with them."""
