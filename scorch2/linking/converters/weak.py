"""Split annotations into units: one row per unit of a mention, with all its candidates."""

from scorch2.formats.rows.annotations import read
from scorch2.formats.source import stem
from scorch2.model.errors import InputError, counted

LONGEST, USUAL = 100_000, 1000
"""Units of one mention, and of all on average: more are slips in offsets, and would fill the memory."""


def weak(text: str, path: str) -> str:
    """Return annotations with one row per unit; ids, scores and types stay as they are written.

    Parameters
    ----------
    text, path : str
        Annotations TSV, and its file for messages.

    Raises
    ------
    InputError
        As the reader of annotations; for a mention of more than `LONGEST` units, and for mentions that have
        more than `USUAL` units each and `LONGEST` besides.
    """
    read(text, stem(path), path)
    units, mentions = 0, []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        docid, start, end, *candidates = line.removesuffix("\r").split("\t")
        first, last = int(start), int(end)
        units += last - first + 1
        if last - first >= LONGEST:
            raise InputError(path, f"line {number}", f"a mention of more than {LONGEST} units")
        if units > USUAL * number + LONGEST:
            why = f"{counted(number, 'mention')} of {units} units so far: more than {USUAL} units each"
            raise InputError(path, f"line {number}", why)
        after = "".join(f"\t{cell}" for cell in candidates)
        if after.endswith("\r"):  # with one more it is read as a part of the cell, not of the line's end
            after += "\r"
        mentions.append("".join([f"{docid}\t{i}\t{i}{after}\n" for i in range(first, last + 1)]))
    return "".join(mentions)
