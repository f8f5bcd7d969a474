"""MMAX2: the level of markables with coreference, ``<name>_coref_level.xml``.

``<markable id="markable_3" span="word_3..word_5" coref_class="set_12"/>`` covers words 3 to 5, counted from
1, and is in cluster ``set_12``; ARRAU says ``coref_set``. A markable with ``empty`` or without a set is a
singleton. Its ``category``, which ARRAU has, is what it stands for. The words are in another file, which is
not read: their numbers are enough to score.
"""

import re
from collections import Counter
from collections.abc import Mapping

from scorch2.formats.fields import free_name, notes_of_widened, value_of
from scorch2.formats.xml.safe_xml import Handlers, parse
from scorch2.model.document import Document, Label, OnDemand
from scorch2.model.errors import MarkupError, quoted

_SETS = ("coref_class", "coref_set")  # the attributes that say the cluster, from the first that is there
_CATEGORY = "category"
_READ = {*_SETS, "id", "span", "mmax_level", _CATEGORY}
_NO_SET = ("", "empty")
_WORD = "word_"
_PIECE = re.compile(rf"{_WORD}([0-9]{{1,9}})(?:\.\.{_WORD}([0-9]{{1,9}}))?")


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with token spans as mentions."""
    markables = _Markables(path)
    parse(data, markables, external_doctype=True)
    return [markables.document(stem)]


class _Markables(Handlers):
    """Takes the markables of a file, one after the other."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._depth = 0
        self._clusters: dict[str, list[tuple[int, int]]] = {}
        self._labels: dict[str, list[Label]] = {}  # of the mentions in `_clusters`
        self._alone: dict[str, tuple[tuple[int, int], Label]] = {}  # markables without a set, by id
        self._ids: set[str] = set()
        self._has_sets = False
        self._in_pieces = 0
        self._unread: Counter[str] = Counter()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "words" and self._depth == 0:
            why = "these are the words: the mentions are in the level of coreference, <name>_coref_level.xml"
            raise self.error("no-markables", f"{why} (of a folder, --gold-files and --sys-files choose)")
        wanted = ("markables", "markable")[self._depth > 0]
        if name != wanted or self._depth > 1:
            raise self.error("unknown-element", f"<{name}> is not expected here, but <{wanted}>")
        self._depth += 1
        if name == "markable":
            self._markable(attributes)

    def end(self, _: str) -> None:
        self._depth -= 1

    def _markable(self, attributes: Mapping[str, str]) -> None:
        ident = attributes.get("id", "")
        if not ident or ident in self._ids:
            why = f"a second markable is called {quoted(ident)}" if ident else "a markable has no id"
            raise self.error("bad-id", why)
        self._ids.add(ident)
        self._unread.update(
            value_of(name) for name, value in attributes.items() if name not in _READ and value
        )
        cluster = next((attributes[name] for name in _SETS if name in attributes), None)
        self._has_sets = self._has_sets or cluster is not None
        span, category = self._span(attributes.get("span", "")), attributes.get(_CATEGORY)
        if cluster is None or cluster in _NO_SET:
            self._alone[ident] = span, category
        else:
            self._clusters.setdefault(cluster, []).append(span)
            self._labels.setdefault(cluster, []).append(category)

    def _span(self, written: str) -> tuple[int, int]:
        numbers = []
        pieces = written.split(",")
        for piece in pieces:
            match = _PIECE.fullmatch(piece.strip())
            first = int(match[1]) if match else 0
            last = int(match[2] or first) if match else 0
            if not 0 < first <= last:
                why = f"the span {quoted(written)} is not like word_3..word_5 (words count from 1)"
                raise self.error("bad-span", why)
            numbers += [first, last]
        self._in_pieces += len(pieces) > 1
        return min(numbers) - 1, max(numbers)

    def document(self, stem: str) -> Document:
        if self._ids and not self._has_sets:
            why = f"no markable has {' or '.join(_SETS)} (is it the level of coreference?)"
            raise MarkupError(self.path, 0, "no-sets", why)
        for ident, (span, category) in self._alone.items():
            name = free_name(ident, self._clusters)  # a set may be called so
            self._clusters[name], self._labels[name] = [span], [category]
        return Document(
            stem, self._clusters, self.path, format="mmax", notes=notes_of_widened(self._in_pieces),
            half_open=True, first=1, unit_name=_WORD, unread=OnDemand(dict, self._unread),
            categories=OnDemand(dict, self._labels),
        )  # fmt: skip
