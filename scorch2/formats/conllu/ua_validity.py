"""Rules of the scorers of Universal Anaphora that exploded files break which can be scored.

Each is a function of a document, or of one of its rows; it yields the line, what is wrong and the kind.
"""

import re
from collections.abc import Iterator

from scorch2.formats.conllu import ua_lines
from scorch2.formats.conllu.shared import BLANKS, Part, first_line, parts
from scorch2.formats.conllu.ua import NAMES, MarkableLayer, annotation
from scorch2.model.errors import Notice, quoted, shown_path
from scorch2.model.markables import common_words, joined_runs

_NEWDOC = re.compile(r"# newdoc id = \S")
_LIKE_PSEUDO = re.compile(r"pseudo\Z", re.IGNORECASE)


def problems(data: bytes, path: str) -> Iterator[Notice]:
    """Yield the rules that a file breaks, document by document, with the line."""
    shown = shown_path(path)
    for part in parts(data, "", path):
        annotated = annotation(part, path)
        every = list(_rows(part))
        if not _NEWDOC.match(first_line(part.data)):
            why = "a document without a line # newdoc id = <name>: its scorers leave it out"
            every.append((part.line, why, "documents"))
        for layer in (annotated.identity, annotated.deixis):
            every += _markables(layer) if layer else ()
        why = f"a bridging link without {ua_lines.ANTECEDENT}, which scorers of bridging need"
        every += [
            (link.line, why, "bridging")
            for link in annotated.links
            if not link.values.get(ua_lines.ANTECEDENT)
        ]
        yield from (Notice(kind, shown, f"line {number}: {why}") for number, why, kind in sorted(every))


def _rows(part: Part) -> Iterator[tuple[int, str, str]]:
    words = rank = 0
    for number, row in part.lines():
        if row[:1] == "#" or not row.strip(BLANKS):
            continue
        cells = ua_lines.cells_of(row)
        name = cells[0]
        if ua_lines.is_range(name):
            yield number, f"{name} is a token of several words, and scorers count it as a word", "ranges"
        else:
            words, rank = (words, rank + 1) if ua_lines.is_zero(name) else (words + 1, 0)
            expected = f"{words}.{rank}" if rank else str(words)
            if name != expected:
                hint = f"words count through the document: {expected}"
                yield number, f"the row is called {quoted(name)} ({hint})", "numbers of rows"
        if len(cells) <= ua_lines.DEIXIS:
            why = f"no column {NAMES[ua_lines.DEIXIS]}, without which scorers of it and of bridging stop"
            yield number, why, "columns"
        if any(len(cell.split()) != 1 for cell in cells):
            why = "an empty cell, or whitespace inside one: scorers split there, and columns move"
            yield number, why, "blanks"
        for column in (ua_lines.IDENTITY, ua_lines.DEIXIS):
            cell = cells[column] if column < len(cells) else ""
            if cell not in ua_lines.NOTHING:
                yield from ((number, why, "order of brackets") for why in _order(cell))


def _order(cell: str) -> Iterator[str]:
    if "@" in cell:
        yield "brackets are joined by @, which scorers take for a part of the value before it"
    kinds = [isinstance(one, ua_lines.Closing) for one in ua_lines.brackets(cell)]
    if kinds != sorted(kinds, reverse=True):
        yield "a markable closes after another one opens on the word (write what closes first)"


def _markables(layer: MarkableLayer) -> Iterator[tuple[int, str, str]]:
    for markable in layer.markables.values():
        line, name = markable.line, quoted(markable.name)
        if markable.minimum:
            first, last = markable.minimum
            words = joined_runs((0, start, end - 1) for start, end in sorted(markable.pieces))
            if markable.zero:
                yield line, f"the zero {name} has a Min", "Min"
            elif common_words(words, [(0, first - 1, last - 1)]) <= last - first:
                yield line, f"Min of {name} is not inside it, so that nothing matches it partly", "Min"
        if _LIKE_PSEUDO.search(markable.entity) and not markable.is_pseudo:
            entity = quoted(markable.entity)
            why = f"entity {entity} refers to something (write {ua_lines.PSEUDO} if it does not)"
            yield line, why, "pseudo entities"
