"""Annotations cut up: a row for each unit of a mention, with all its candidates."""

from scorch2.errors import InputError
from scorch2.formats import annotations_tsv
from scorch2.formats.source import stem

LONGEST = 100_000
"""Units of a mention: more are a slip in an offset, and would fill the memory."""


def weak(text: str, path: str) -> str:
    """Return annotations with a row a unit; ids, scores and types stay as they are written.

    Parameters
    ----------
    text, path : str
        Annotations TSV, and its file for messages.

    Raises
    ------
    InputError
        As the reader of annotations, and for a mention of more than `LONGEST` units.
    """
    annotations_tsv.read(text, stem(path), path)
    rows = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        docid, start, end, *candidates = line.removesuffix("\r").split("\t")
        if int(end) - int(start) >= LONGEST:
            raise InputError(path, f"line {number}", f"a mention of more than {LONGEST} units")
        rows += ["\t".join([docid, str(i), str(i), *candidates]) for i in range(int(start), int(end) + 1)]
    return "".join(f"{row}\n" for row in rows)
