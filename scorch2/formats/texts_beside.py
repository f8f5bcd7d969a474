"""Texts in a file of their own, such as the ``.txt`` beside an ``.ann`` of brat: what to say if one lacks."""

import os

from scorch2.formats.source import STDIN, path_beside
from scorch2.formats.table import row_of
from scorch2.model.document import Document
from scorch2.model.errors import shown_path


def lacking_text(document: Document) -> str:
    """Return what to do to give a document the text that belongs beside its file; empty if it lacks none."""
    suffix = row_of(document.format).text_beside
    if not suffix or document.text is not None or document.path in ("", STDIN):
        return ""
    return f"put its text beside it as {shown_path(os.path.basename(path_beside(document.path, suffix)))}"
