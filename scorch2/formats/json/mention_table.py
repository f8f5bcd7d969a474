"""JSON with a list or a table of mentions: the part of clusters JSON that linking needs, and graph JSON.

``"offsets": "exclusive"`` (or ``"inclusive"``) says what the ends of spans are; ``"mentions"`` is an object
from mention ids to objects with a ``span`` and, if known, ``type``, ``score`` and ``candidates``; ``"kb"`` is
an object from cluster names to ids. A cluster without one is an entity that the knowledge base lacks.

Graph JSON is ``{"type": "graph", "mentions": [<mention id>, ...], "links": [[<id>, <id>], ...]}``. A cluster
is a set of mentions that links connect, directly or through others; a mention without links is a singleton.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, zip_longest
from typing import Any, NamedTuple

from scorch2.formats.fields import components, first_only, free_name
from scorch2.formats.json.strict import as_mentions, first_no_mention, json_kind, no_mention, require_list
from scorch2.formats.json.texts import JsonPlace, as_spans, offsets_of, written_offsets
from scorch2.model.document import Document, Mention, OnDemand, Span
from scorch2.model.errors import InputError, json_place, quoted
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.names import NIL, labels_of_annotations, named_clusters, nil_id

_PRIMES = 9  # primes after a name at most: thousands of mentions of one place would take megabytes
_NO_ID = "an id is a string that is not empty, or null"


class _MentionTable(NamedTuple):
    """The table of mentions, with what is said about them elsewhere."""

    spans: Mapping[str, Span]
    homes: Mapping[str, Sequence[str]]  # the clusters of each mention that is in any
    ids: Mapping[str, str]  # the ids that are written for clusters


def is_there(value: Mapping[str, Any]) -> bool:
    """Return whether a clusters object has a table of mentions with spans."""
    table = value.get("mentions")
    return type(table) is dict and any(type(one) is dict and "span" in one for one in table.values())


def document(value: Mapping[str, Any], plain: Document) -> Document:
    """Return the document that was read as `plain` with annotations, and its mentions as spans."""
    # The table in `value` is empty then: a mention takes more memory there than in the document
    offsets = offsets_of(value, plain.path)
    table = _read(value, plain, offsets.shift)
    listed = list(_annotations(value["mentions"].pop, plain, table))  # what is read once need not stay
    clusters = {
        name: [table.spans[str(member)] for member in members] for name, members in plain.clusters.items()
    }
    for mention, span in table.spans.items():
        if mention not in table.homes:
            clusters[free_name(f"{NIL} {mention}", clusters)] = [span]
    return plain._replace(
        clusters=clusters, annotations=listed, unit=offsets.unit, half_open=True, exclusive=offsets.exclusive,
        categories=OnDemand(labels_of_annotations, clusters, listed),
    )  # fmt: skip


def _read(value: Mapping[str, Any], plain: Document, shift: int) -> _MentionTable:
    root = JsonPlace(plain.path, "$", "")
    place = root.inside("mentions")
    spans = {mention: _span(one, shift, place.inside(mention)) for mention, one in value["mentions"].items()}
    return _MentionTable(spans, _homes(plain, spans), _ids(value.get("kb", {}), plain, root.inside("kb")))


def _annotations(
    entry_of: Callable[[str], Mapping[str, Any]], plain: Document, table: _MentionTable
) -> Iterator[Annotation]:
    """Yield the annotations of the mentions, each made when it is asked for."""
    place = JsonPlace(plain.path, "$", "").inside("mentions")
    nowhere: tuple[None] = (None,)
    for mention, span in table.spans.items():
        at = place.inside(mention)
        entry = entry_of(mention)
        listed = _candidates(entry, at)
        for cluster in table.homes.get(mention, nowhere):
            ident = None if cluster is None else table.ids.get(cluster) or nil_id(cluster, plain.id)
            annotation = Annotation(*span, _of_cluster(entry, listed, ident, at))
            if annotation.top.id is None and cluster is not None and len(plain.clusters[cluster]) > 1:
                raise at.error("", f"has no id, but others are in its cluster {quoted(cluster)}")
            yield annotation


def written(document: Document) -> dict[str, Any]:
    """Return the keys of clusters JSON that hold a document with annotations."""
    clusters: dict[str, list[str]] = {cluster: [] for cluster in document.clusters}
    kb: dict[str, str] = {}
    mentions: dict[str, Any] = {}
    same: Counter[str] = Counter()
    for annotation, cluster in zip(document.annotations, _clusters_of(document), strict=True):
        place = f"{annotation.start}-{annotation.end}"
        same[place] += 1
        number = same[place] - 1
        name = free_name(place + "'" * number if number <= _PRIMES else f"{place}'{number}", mentions)
        top = annotation.top.id
        clusters.setdefault(cluster, []).append(name)
        if top is not None and not top.startswith(NIL):
            kb[cluster] = top
        ident = kb.get(cluster, nil_id(cluster, document.id))
        mentions[name] = {"span": [annotation.start, annotation.end], **_entry(annotation, ident)}
    value = {"clusters": clusters, "offsets": "exclusive", "kb": kb, "mentions": mentions}
    _check(value, clusters, document)
    return value


def _clusters_of(document: Document) -> Iterator[str]:
    """Yield the cluster of each annotation; of several with its span, the one whose name is its id."""
    called: dict[object, dict[str, str]] = {}  # by span: the clusters by what may be the id of each
    free: dict[object, Iterator[str]] = {}
    taken: set[str] = set()
    owners: dict[object, list[str]] = {}  # by span: the clusters that are called as no id
    tops = {annotation.top.id for annotation in document.annotations}
    for cluster, members in document.clusters.items():
        idents = cluster, nil_id(cluster, document.id)
        for span in members:
            if tops.isdisjoint(idents):
                owners.setdefault(span, []).append(cluster)
            for ident in idents:
                called.setdefault(span, {}).setdefault(ident, cluster)
    of_ids: dict[str, str] = {}
    for annotation in document.annotations:
        top = annotation.top.id
        if top in of_ids:
            yield of_ids[top]
            continue
        span = (annotation.start, annotation.end)
        waiting = free.setdefault(span, iter(owners.get(span, ())))
        home = called.get(span, {}).get(top) if top is not None else None
        if home is None:
            home = next((other for other in waiting if other not in taken), top or NIL)
        taken.add(home)
        if top is not None:
            of_ids[top] = home
        yield home


def _check(value: Mapping[str, Any], clusters: Mapping[str, list[str]], written: Document) -> None:
    """Read `value` again and raise an InputError if it does not hold the same annotations."""
    plain = Document(written.id, clusters)
    try:
        table = _read(value, plain, shift=0)  # ends are written as exclusive
        again = _annotations(value["mentions"].__getitem__, plain, table)
        same = all(
            copy is not None and other is not None and copy[:3] == other[:3]
            for copy, other in zip_longest(again, written.annotations)
        )
    except InputError:
        same = False
    if not same:
        why = f"{quoted(written.id)} cannot be written as clusters: its annotations would be read differently"
        raise InputError(written.path, "", why)


def _homes(plain: Document, spans: Mapping[str, Span]) -> dict[str, list[str]]:
    """Return the clusters of each mention that is in any."""
    homes: dict[str, list[str]] = {}
    for cluster, members in plain.clusters.items():
        for i, mention in enumerate(members):
            if type(mention) is not str or mention not in spans:
                where = f"{json_place('$.clusters', cluster)}[{i}]"
                raise InputError(plain.path, where, f"the mention {quoted(mention)} is not in $.mentions")
            own = homes.setdefault(mention, [])
            if own[-1:] != [cluster]:  # else it is repeated in this cluster
                own.append(cluster)
    return homes


def _ids(kb: Any, plain: Document, place: JsonPlace) -> dict[str, str]:
    """Return the ids that are written for clusters of a document, by their names."""
    if type(kb) is not dict:
        raise place.error("", f"should be an object from cluster names to ids, not {json_kind(kb)}")
    ids: dict[str, str] = {}
    taken: dict[str, str] = {}
    for cluster, ident in kb.items():
        inside = place.inside(cluster)
        if cluster not in plain.clusters:
            raise inside.error("", "there is no cluster of this name")
        if ident is None:
            continue
        if type(ident) is not str or not ident:
            raise inside.error("", _NO_ID)
        if ident in taken:
            raise inside.error("", f"{quoted(ident)} is already the id of cluster {quoted(taken[ident])}")
        taken[ident] = cluster
        ids[cluster] = ident
    return ids


def _span(entry: Any, shift: int, place: JsonPlace) -> Span:
    if type(entry) is not dict:
        raise place.error("", f"should be an object with a span, not {json_kind(entry)}")
    span = entry.get("span")
    if type(span) is not list or list(map(type, span)) != [int, int] or span[0] < 0:
        raise place.error("span", "should be a list of two offsets, the start and the end")
    start, end = span[0], span[1] + shift
    if start >= end:
        why = f"the span {quoted(tuple(span))} holds nothing: it ends before it begins"
        raise place.error("span", why)
    return start, end


def _candidates(entry: Mapping[str, Any], place: JsonPlace) -> tuple[Candidate, ...] | None:
    """Return the candidates that an entry lists, or None if it lists none."""
    if "candidates" not in entry:
        return None
    inside = place.inside("candidates")
    candidates = []
    for i, item in enumerate(require_list(entry["candidates"], inside.path, inside.where, "candidates")):
        at = inside._replace(where=f"{inside.where}[{i}]")
        if type(item) is not dict:
            raise at.error("", f"should be an object with an id, not {json_kind(item)}")
        ident = item.get("id")
        if ident is not None and (type(ident) is not str or not ident):
            raise at.error("id", _NO_ID)
        candidates.append(Candidate(ident, *_score_and_type(item, at)))
    return tuple(candidates)


def _of_cluster(
    entry: Mapping[str, Any], listed: tuple[Candidate, ...] | None, ident: str | None, place: JsonPlace
) -> tuple[Candidate, ...]:
    """Return the candidates of a mention in the cluster that `ident` stands for, or in none."""
    if listed is None:
        score, kind = _score_and_type(entry, place)
        return (Candidate(ident, score, kind),) if (ident, score, kind) != (None, None, None) else ()
    top = Annotation(0, 1, listed).top.id
    if top is not None and top != ident:
        why = f"the best candidate is {quoted(top)}, but the mention is in the cluster of {quoted(ident)}"
        raise place.error("candidates", why)
    return listed


def _score_and_type(entry: Mapping[str, Any], place: JsonPlace) -> tuple[float | None, Any]:
    score, kind = entry.get("score"), entry.get("type")
    if score is not None and type(score) not in (int, float):
        raise place.error("score", f"should be a number, not {json_kind(score)}")
    if kind is not None and type(kind) not in (str, dict):
        raise place.error("type", f"should be a string or an object, not {json_kind(kind)}")
    if score is not None and not abs(score) <= sys.float_info.max:
        raise place.error("score", "is too large a number")
    return None if score is None else float(score), None if kind == "" else kind


def _entry(one: Annotation, ident: str) -> dict[str, Any]:
    """Return what an entry holds besides the span; `ident` is what its cluster stands for."""
    if len(one.candidates) == 1 and one.candidates[0].id == ident:
        return _known(one.candidates[0]._replace(id=None))
    return {"candidates": [_known(candidate) for candidate in one.candidates]}


def _known(candidate: Candidate) -> dict[str, Any]:
    return {name: value for name, value in candidate._asdict().items() if value is not None}


_ENDS = 2  # mentions of a link


def graph_document(value: dict[str, Any], name: str, path: str) -> Document:
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
    read = Document(name, clusters, path, format="graph")
    if "offsets" not in value or not any(isinstance(mention, tuple) for mention in declared):
        return read
    said = offsets_of(value, path)
    spans = dict(zip(declared, as_spans(declared, said, path, "$.mentions"), strict=True))
    if not all(isinstance(mention, tuple) for mention in declared):  # nothing compares them: they stay
        return read
    moved = clusters.replaced(spans.__getitem__)
    return read._replace(clusters=moved, unit=said.unit, half_open=True, exclusive=said.exclusive)


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


def graph_write(document: Document) -> str:
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


graph_fitting = first_only  # links join the clusters that share a mention
