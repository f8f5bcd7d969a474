"""Helpers of the tests of conversion: the command with its refusals, and documents to convert."""

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scorch2.cli.main import main
from scorch2.formats.table import FORMATS, format_names
from scorch2.model.document import Document, spans

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "jsonlines"
GOLD, SYSTEM = str(FOLDER / "gold.conll"), str(FOLDER / "sys.conll")

FASTCOREF = '{"name": "k", "text": "a b c d", "clusters": [[[0, 1], [4, 7]], [[2, 3]]]}\n'
NEEDS_TOKENS = format_names(lambda row: row.needs_tokens)
TOGETHER = format_names(lambda row: row.needs_tokens and not row.one_document and not row.named_by_file)
"""Formats of tokens with several documents in a file, by their names."""
Cluster: TypeAlias = list[list[int]]
Value: TypeAlias = dict[str, Any]


def put(path: str, *lines: object) -> str:
    """Write lines, text as it is and anything else as JSON; the folder is made."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    shown = [line if isinstance(line, str) else f"{json.dumps(line)}\n" for line in lines]
    data = "".join(shown).encode()
    Path(path).write_bytes(gzip.compress(data) if path.endswith(".gz") else data)
    return path


def convert(source: str, target: str, form: str, *words: str, status: int = 0) -> str:
    """Convert and return the target."""
    assert main(["convert", f"--to={form}", *words, source, target]) == status
    return target


def typed(form: str) -> str | None:
    """Return what has to be said to have a file read in a format; nothing where its content tells."""
    return form if FORMATS.get(form) and FORMATS[form].has_marks else None


def convert_from(form: str, source: str, target: str, to: str, *words: str) -> str:
    """Convert a file of a format, which is named where its content does not tell, and return the target."""
    return convert(source, target, to, *([f"--from={form}"] if typed(form) else []), *words)


def text(path: str) -> str:
    return Path(path).read_bytes().decode("utf-8")


def found(path: str = ".") -> dict[str, bytes]:
    """Return what stands in the files of a folder."""
    files = [file for file in Path(path).rglob("*") if file.is_file()]
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(files)}


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one line that a conversion ends with; nothing else was written anywhere."""
    before = found(), sorted(Path().rglob("*"))
    assert main(["convert", *words]) == 2
    assert (found(), sorted(Path().rglob("*"))) == before
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("scorch2: error: ").rstrip("\n")


def said(
    documents: Iterable[Document],
) -> list[tuple[str, list[int], list[list[tuple[int, int]]], list[str]]]:
    """Return all that documents with tokens hold; the names and the order of clusters mean nothing."""
    return [
        (
            document.id,
            [] if document.flat else list(document.sentences or ()),
            sorted(sorted(spans(members)) for members in document.clusters.values() if members),
            list(document.words()) if document.words else [],
        )
        for document in documents
    ]


def as_sets(clusters: Iterable[Iterable[Any]]) -> set[frozenset[Any]]:
    """Return clusters without any order, spans as tuples."""
    return {
        frozenset(tuple(mention) if isinstance(mention, list) else mention for mention in members)
        for members in clusters
    }


def tokens(*clusters: Cluster, words: Sequence[str] = "abcd", name: str = "k") -> Value:
    """Return a document of one sentence."""
    return {"doc_key": name, "sentences": [list(words)], "clusters": list(clusters)}
