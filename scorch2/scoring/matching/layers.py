"""The annotation that is scored, of files that hold two of one text: identity, or discourse deixis."""

from scorch2.model.document import Document
from scorch2.model.errors import InputError, quoted


def chosen(document: Document, layer: str) -> Document:
    """Return a layer of a document as a document; one that stands for a missing file has all that are empty.

    Raises
    ------
    InputError
        If the document was read from a file that has no such layer.
    """
    if layer in document.layers:
        return document.layers[layer]
    if not document.path and not any(document.clusters.values()):
        return document
    why = f"{quoted(document.id)} has no annotation of {layer}, which --layer={layer} needs"
    raise InputError(document.path or document.id, "", f"{why} (the exploded format has a column for it)")
