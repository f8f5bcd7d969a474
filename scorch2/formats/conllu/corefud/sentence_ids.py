"""The ids of sentences, which comments give: ``# sent_id = news-1``."""

from collections.abc import Sequence

from scorch2.formats.conllu.parts import Part
from scorch2.model.trees import sent_id_in

_NAME = "sent_id"


def sentence_ids(part: Part) -> Sequence[str]:
    """Return the ids of the sentences that have one, in order."""
    text, found = part.text, []
    place = text.find(_NAME)
    while place >= 0:
        start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        line = text[start : end if end >= 0 else len(text)]
        if line.startswith("#"):
            found.append(sent_id_in(line))
        place = text.find(_NAME, start + len(line))
    return list(filter(None, found))
