"""Examples of each format, found by the table of formats in ``fixtures/formats/<name>``.

========================  ==========================================================================
``example.*``             a small document, the same one in every format that is written: see the others
``example.*.twin.json``   what it holds, as beside the files of ``fixtures/formats/valid``
``written.*``             what the writer makes of the document in `tests/formats/test_formats_writing.py`
``rich.*``                all that a file can say, each thing marked by a word in zz
``nameless.*``            the example without its name, if a file may leave it out
========================  ==========================================================================
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scorch2.formats.table import FORMATS, format_names

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "fixtures" / "formats"
WRITERS = format_names(lambda row: row.writer)


def path_of(form: str, kind: str) -> Path:
    """Return where a file of a format is; its suffix is the first of the row."""
    return FOLDER / form / f"{kind}{(*FORMATS[form].suffixes, '.txt')[0]}"


class Examples(Mapping[str, str]):
    """The texts of one kind, by format; one that is not there is asked for when it is looked up."""

    def __init__(self, kind: str, what: str, formats: Sequence[str]) -> None:
        self.kind = kind
        self.what = what
        self.formats = formats

    def __getitem__(self, form: str) -> str:
        if form not in self.formats:
            raise KeyError(form)
        path = path_of(form, self.kind)
        assert path.exists(), f"make {path.relative_to(ROOT).as_posix()}: {self.what}"
        return path.read_bytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return iter(self.formats)

    def __len__(self) -> int:
        return len(self.formats)


_EXAMPLE = (
    "the document k of the neighbours, as the writer must write it (any small document if there is no writer)"
)
EXAMPLES = Examples("example", _EXAMPLE, format_names())
SAME = Examples("example", _EXAMPLE, WRITERS)
"""One document in every format that is written."""
WRITTEN = Examples("written", "what the writer must write for DOCUMENT in this test, to the letter", WRITERS)
NAMELESS = Examples(
    "nameless",
    "the example without its name",
    format_names(lambda row: path_of(row.name, "nameless").exists()),
)
