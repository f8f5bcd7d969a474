"""Graph JSON: ``{"type": "graph", "mentions": [<mention id>, ...], "links": [[<id>, <id>], ...]}``.

A cluster is a set of mentions that links connect, directly or through others; a mention without links is a
singleton.
``"offsets"`` and ``"unit"`` say what lists of two integers mean, see `offsets`.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any

from scorch2.formats.fields import components
from scorch2.formats.json.strict import as_mentions, first_no_mention, no_mention, require_list
from scorch2.formats.json.texts import as_spans, offsets_of, written_offsets
from scorch2.model.document import Document, Mention, first_only
from scorch2.model.errors import InputError, quoted
from scorch2.model.names import named_clusters

_ENDS = 2  # mentions of a link


def document(value: dict[str, Any], name: str, path: str) -> Document:
    """Return the document that a parsed object holds; its clusters are numbered by their first mention."""
    for key in ("mentions", "links"):
        if key not in value:
            raise InputError(path, "$", f'the key "{key}" is missing')
    written = require_list(value["mentions"], path, "$.mentions", "mentions")
    declared = as_mentions(written)
    if declared is None:
        raise first_no_mention(written, path, "$.mentions")
    ends = _ends(require_list(value["links"], path, "$.links", "links"), set(declared), path)
    clusters = components(declared, zip(ends[::2], ends[1::2], strict=True))
    if "offsets" not in value or not any(isinstance(mention, tuple) for mention in declared):
        return Document(name, clusters, path, format="graph")
    said = offsets_of(value, path)
    spans = dict(zip(declared, as_spans(declared, said, path, "$.mentions"), strict=True))
    if not all(isinstance(mention, tuple) for mention in declared):  # nothing compares them: they stay
        return Document(name, clusters, path, format="graph")
    return Document(
        name, clusters.replaced(spans.__getitem__), path, format="graph", unit=said.unit,
        half_open=True, exclusive=said.exclusive,
    )  # fmt: skip


def _ends(links: list[Any], declared: set[Mention], path: str) -> Sequence[Mention]:
    """Return the two ends of every link, one after the other, each of them a declared mention."""
    if not (set(map(type, links)) <= {list} and set(map(len, links)) <= {_ENDS}):
        bad = next(i for i, link in enumerate(links) if type(link) is not list or len(link) != _ENDS)
        raise InputError(path, f"$.links[{bad}]", "a link is a list of two mentions")
    written = list(chain.from_iterable(links))
    ends = as_mentions(written)
    if ends is None:
        refused = (no_mention(end, path, f"$.links[{i // 2}][{i % 2}]") for i, end in enumerate(written))
        raise next(error for error in refused if error)
    if not declared.issuperset(ends):
        bad = next(i for i, end in enumerate(ends) if end not in declared)
        why = f'the mention {quoted(ends[bad])} is not declared in "mentions"'
        raise InputError(path, f"$.links[{bad // 2}]", why)
    return ends


def write(document: Document) -> str:
    """Return `document` as one line of graph JSON: every mention linked to the next of its cluster."""
    import json

    clusters = [list(dict.fromkeys(members)) for members in named_clusters(document).values()]
    mentions = list(chain.from_iterable(clusters))
    if len(set(mentions)) < len(mentions):
        why = f"a mention of {quoted(document.id)} is in two clusters, which links would join"
        raise InputError(document.path, "", f"{why} (--lossy keeps the first)")
    links = list(chain.from_iterable(map(pairwise, clusters)))
    value: dict[str, Any] = {"type": "graph", "name": document.id, **written_offsets(document)}
    value |= {"mentions": mentions, "links": links}
    return json.dumps(value, ensure_ascii=False) + "\n"


fitting = first_only  # links join the clusters that share a mention
