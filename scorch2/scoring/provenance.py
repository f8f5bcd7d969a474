"""The origin of both sides of a run: formats, keys of clusters, hashes, and whether both are the same."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from scorch2.formats.table import row_of
from scorch2.model.document import Document
from scorch2.model.errors import HINT, InputError, Notice, quoted, shown_path
from scorch2.model.options import Options
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.matching.matched import Matched
from scorch2.scoring.pairing.files import Pair, ReadPair, are_one

Origin: TypeAlias = tuple[str, str, str, str]
"""How gold and the system write a document, and the keys that their clusters stand under; empty for none."""
_SIDES = (("gold", "--gold-key"), ("system", "--sys-key"))


def origin_of(pair: Pair) -> Origin:
    """Return how both sides of a pair were written."""
    gold, system = pair.gold, pair.system
    return _written(gold), _written(system), gold.key, system.key


def _written(document: Document) -> str:
    return f"{document.format} ({document.written})" if document.written else document.format


def origin_in_words(origin: Origin) -> str:
    """Return an origin as ``--verbose`` shows it."""
    shown = [
        f"{side} {written or 'absent'}{f', key {key}' if key else ''}"
        for (side, _), written, key in zip(_SIDES, origin[:2], origin[2:], strict=True)
    ]
    return ", ".join(shown)


def are_equal(matched: Matched, table: Contingency) -> bool:
    """Return whether both sides, which share all mentions, have the same clusters of them."""
    if not len(table.cells) == len(table.gold_sizes) == len(table.system_sizes):
        return False
    if len(matched.gold.sizes) != len(matched.gold_alone.sizes):  # gold got twinless mentions
        return False
    return matched.tables is not None or not matched.ways.keys() - {"equal"}


class Provenance:
    """The origins of all documents, and whether any differs on both sides."""

    def __init__(self) -> None:
        self._first: dict[Origin, str] = {}  # the first document of each origin
        self._last: Origin | None = None
        self._are_equal = True
        self._documents = 0

    def see(self, ident: str, origin: Origin, is_equal: bool) -> None:
        """Take a document."""
        self._documents += 1
        if origin != self._last:
            self._first.setdefault(origin, ident)
            self._last = origin
        if not is_equal:
            self._are_equal = False

    def keys(self) -> Mapping[str, Sequence[str]]:
        """Return the keys of either side that has any; an InputError tells of two of one program."""
        keys = {}
        for number, (side, option) in enumerate(_SIDES):
            known: dict[str, tuple[str, str]] = {}
            for origin, ident in self._first.items():
                key = origin[2 + number]
                other, first = known.setdefault(origin[number], (key, ident))
                if key != other:
                    both = f"under {quoted(key)}, but those of {quoted(first)} under {quoted(other)}"
                    how = f"all files of a side need the same key ({option}=<name> says which)"
                    raise InputError(ident, "", f"the clusters of {side} are {both}: {how}")
            found = sorted({key for key, _ in known.values() if key})
            keys.update({side: found} if found else {})
        return keys

    def notices(self, options: Options, paths: tuple[str, str] | None, mentions: int) -> list[Notice]:
        """Return warnings about both sides, which were read from `paths` and have `mentions`, and hints."""
        notices = [] if paths is None else self.same(paths, (options.gold_files, options.sys_files), mentions)
        reaching = any(row_of(gold).names_reach for gold, *_ in self._first)
        if reaching and self._documents > 1 and options.documents == "file":
            why = "each document is scored by itself, but clusters of one name in several are one entity"
            notices.append(Notice(HINT, "", f"{why} (--documents=topic joins the documents of a topic)"))
        return notices

    def same(
        self, paths: tuple[str, str], files: tuple[str | None, str | None], mentions: int
    ) -> list[Notice]:
        """Return a warning if both sides are the same: one may stand there by mistake."""
        # A folder may hold both sides: then `files` are the patterns that tell them apart
        gold, system = paths
        if (
            files[0] == files[1]
            and are_one(gold, system)
            and all(mine == theirs for _, _, mine, theirs in self._first)
        ):
            why = "it is the gold side, too"
        elif self._documents and self._are_equal and mentions:
            why = f"all that is scored equals gold ({shown_path(gold)}) to the last mention"
        else:
            return []
        return [Notice("same", system, f"{why}: is it the output of a system?")]


LEFT_OUT = ("missing", "extra", "invalid")  # the codes of notices of documents without a partner, or broken
FILES = ("sentences", "gold_categories", "sys_categories", "categories")
"""The options that name a file which is read besides those of both sides."""


def inputs_of(read: Sequence[ReadPair], notices: Sequence[Notice], options: Options) -> dict[str, Any]:
    """Return the SHA-256 of each document that was read, of how they paired, and of other files."""
    import json
    from hashlib import sha256

    from scorch2.formats.source import STDIN, read_data

    pairs = sorted([one.id, one.gold, one.system] for one in read)
    alone = sorted([one.code, one.document] for one in notices if one.code in LEFT_OUT)
    given = {name: getattr(options, name) for name in FILES}
    files = {
        name: sha256(read_data(path)).hexdigest()
        for name, path in given.items()
        if path not in (None, "", STDIN)
    }
    pairing = json.dumps([pairs, alone], ensure_ascii=False).encode()
    return {
        "gold": {one.id: one.gold_sha256.hex() for one in read if one.gold_sha256},
        "system": {one.id: one.system_sha256.hex() for one in read if one.system_sha256},
        "pairing": sha256(pairing).hexdigest(),
        **({"files": files} if files else {}),
    }
