"""Tags and trees of a document in the exploded format, read when they are asked for."""

from collections.abc import Iterable, Iterator

from scorch2.formats.conllu.misc import without_coreference
from scorch2.formats.conllu.parts import BLANKS, Part, sentence_lines
from scorch2.formats.conllu.ua.rows import CONLLU, NOTHING, cells_of, is_zero
from scorch2.model.markables import SyntaxRow, Tree


def tags(part: Part) -> list[str]:
    """Return the universal part-of-speech tags of the words, empty where there is none; [] without any."""
    rows = [cells_of(row) for _, row in part.lines() if row[:1] != "#" and row.strip(BLANKS)]
    found = ["" if cells[3] in NOTHING else cells[3] for cells in rows if cells[0].isdecimal()]
    return found if any(found) else []


def trees(part: Part) -> list[Tree]:
    """Return the sentences of a document with the columns of CoNLL-U; words count anew in each."""
    return [Tree(comments, list(_rows(lines))) for comments, lines in sentence_lines(part)]


def _rows(lines: Iterable[str]) -> Iterator[SyntaxRow]:
    word = rank = 0
    for cells in map(cells_of, lines):
        name = cells[0]
        if name.isdecimal():
            word, rank = word + 1, 0
            name = str(word)
        elif is_zero(name):
            rank += 1
            name = f"{word}.{rank}"
        else:
            first, last = map(int, name.split("-"))
            name = f"{word + 1}-{word + 1 + last - first}"
        misc = without_coreference(cells[CONLLU - 1])
        yield SyntaxRow._make([name, *cells[1 : CONLLU - 1], misc])
