"""Stanza's ``Document.to_dict()``: sentences, which are lists of words with the ``coref_chains`` they are in.

A word names the chain of each mention that covers it, those that begin earlier first, and says whether the
mention begins (``is_start``) or ends (``is_end``) there.
"""

from collections import defaultdict, deque
from typing import Any, NamedTuple

from scorch2.formats.json.mention_ids import require_list
from scorch2.formats.json.values import Clusters, Place, of_tokens
from scorch2.model.document import Document
from scorch2.model.errors import counted, quoted

_WRITTEN = "Stanza: mentions are spans of words"
_IDS = ([int], [int, int])
"""A word; a multi-word token or an empty node."""


class _Entry(NamedTuple):
    """A word, a multi-word token or an empty node of a sentence."""

    ident: list[int]
    text: str
    chains: list[dict[str, Any]]


def is_document(value: object) -> bool:
    """Return whether a value is a list of lists, of which the first item is an object with text and id."""
    if type(value) is not list or not all(type(sentence) is list for sentence in value):
        return False
    first = next((sentence[0] for sentence in value if sentence), None)
    return type(first) is dict and "text" in first and "id" in first


def of_list(value: list[list[Any]], place: Place) -> Document:
    """Return the document that a list of sentences holds."""
    sentences: list[list[str]] = []
    clusters: Clusters = {}
    zeros = before = 0
    for i, sentence in enumerate(value):
        entries = [_entry(entry, place, f"[{i}][{j}]") for j, entry in enumerate(sentence)]
        words = [entry for entry in entries if len(entry.ident) == 1]
        zeros += sum(len(entry.chains) for entry in entries if len(entry.ident) > 1)
        _add_mentions(words, before, clusters, place, f"[{i}]")
        sentences.append([word.text for word in words])
        before += len(words)
    found = of_tokens(place.name, sentences, clusters, place)
    found = found._replace(format="jsonlines", written=_WRITTEN)
    if not zeros:
        return found
    note = f"{counted(zeros, 'mention')} at empty nodes left out, which cover no word"
    return found._replace(notes=[note])


def _entry(value: object, place: Place, inside: str) -> _Entry:
    fields = value if type(value) is dict else {}
    ident = fields.get("id")
    ident = ident if type(ident) is list else [ident]
    text = fields.get("text")
    if type(text) is not str or list(map(type, ident)) not in _IDS:
        raise place.error(inside, "a word is an object with a text, and an id of one or two integers")
    where = f"{place.where}{inside}.coref_chains"
    chains = require_list(fields.get("coref_chains") or [], place.path, where, "chains")
    for k, chain in enumerate(chains):
        if type(chain) is not dict or type(chain.get("index")) is not int:
            raise place.error(f"{inside}.coref_chains[{k}]", "a chain is an object with an index, an integer")
    return _Entry(ident, text, chains)


def _add_mentions(words: list[_Entry], before: int, clusters: Clusters, place: Place, inside: str) -> None:
    """Add the mentions of a sentence that follows `before` words to the clusters.

    At each word, a chain lists the mentions that go on in the order in which they began, then the new ones.
    """
    open_in: dict[int, deque[int]] = {}
    for position, word in enumerate(words, before):
        going_on, open_in = open_in, defaultdict(deque)
        for chain in word.chains:
            index = chain["index"]
            members = clusters.setdefault(str(index), [])
            if chain.get("is_start") is True:
                start = position
            elif going_on.get(index):
                start = going_on[index].popleft()
            else:
                why = f"a mention of chain {quoted(index)} goes on at {quoted(word.text)} without a beginning"
                raise place.error(inside, why)
            if chain.get("is_end") is True:
                members.append((start, position + 1))
            else:
                open_in[index].append(start)
        for index, starts in going_on.items():
            if starts:
                where = f"is missing at {quoted(word.text)}, but has not ended"
                raise place.error(inside, f"a mention of chain {quoted(index)} {where}")
    if open_in:
        index = next(iter(open_in))
        raise place.error(inside, f"a mention of chain {quoted(index)} does not end in its sentence")
