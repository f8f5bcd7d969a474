"""The ids of sentences, which comments give: ``# sent_id = news-1``."""

from collections.abc import Sequence

from scorch2.formats.conllu.parts import Part

_NAME = "sent_id"


def sentence_ids(part: Part) -> Sequence[str]:
    """Return the ids of the sentences that have one, in order."""
    text, found = part.text, []
    place = text.find(_NAME)
    while place >= 0:
        start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        line = text[start : end if end >= 0 else len(text)]
        name, _, value = line[1:].partition("=")
        if line.startswith("#") and name.strip() == _NAME:
            found.append(value.strip())
        place = text.find(_NAME, start + len(line))
    return found
