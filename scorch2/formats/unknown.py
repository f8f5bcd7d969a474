"""Texts whose beginning tells no format: answers of language models, and files that no reader takes."""

import re

from scorch2.formats.marked.marks import refuse_marks
from scorch2.formats.source import names_beside, stem
from scorch2.formats.table import FORMATS, Format
from scorch2.model.errors import InputError

_TWO = r"[^\t\n]+\t(?:[-_*]|[()|0-9]+)\r?\n"
_TWO_COLUMNS = '; two columns are read below a first line that names them, "token" and "coref", by a tab'


def refuse(text: str, path: str, option: str, row: Format | None) -> None:
    """Raise an InputError for a text that is no JSON, not even between fences.

    `row` is the format that its beginning looks like.
    """
    if refuse_marks(text, path, option) or row is not None:
        return
    what = "the file is empty" if not text.strip() else "not a known format"
    known = ", ".join(FORMATS)
    hint = _text_of(path) or (_TWO_COLUMNS if re.match(_TWO, text) else "")
    raise InputError(path, "", f"{what} (known: {known}; name it with {option}){hint}")


def _text_of(path: str) -> str:
    """Return a hint about a file that is called like a text, in a folder of such texts and their files."""
    for row in FORMATS.values():
        if row.text_beside and path.endswith(row.text_beside):
            names, ending = names_beside(path), row.suffixes[0]
            only = all(name.endswith((ending, row.text_beside)) for name in names)
            if only and any(name.endswith(ending) for name in names):
                return f"; as the text of a file of {row.name} it needs {stem(path)}{ending} beside it"
    return ""
