"""JSON of annotation tools: Label Studio, Prodigy and doccano, with mentions and relations; and JSON CAS.

Mentions are spans of characters. Mentions that relations connect are a cluster, see
`scorch2.formats.linked`; a mention without a relation is a singleton.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scorch2.formats.fields import value_of
from scorch2.formats.json.dialects import Source
from scorch2.formats.json.strict import json_kind, require_list
from scorch2.formats.json.texts import JsonPlace
from scorch2.model.document import Document, Span
from scorch2.model.errors import counted, quoted

if TYPE_CHECKING:  # imported when a file needs it: a run on other JSON would execute 2 % more
    from scorch2.formats.linked import LinkedMentions, Refuse

_NAMES = ("doc_key", "doc_id", "document_id", "name", "id")


def _objects(value: object, place: JsonPlace, key: str, what: str) -> list[dict[str, Any]]:
    """Return a list of objects."""
    found = require_list(value, place.path, f"{place.where}.{key}", what)
    for i, one in enumerate(found):
        if type(one) is not dict:
            raise place.error(f"{key}[{i}]", f"should be an object, not {json_kind(one)}")
    return found


def _text_of(value: object, place: JsonPlace, key: str) -> str:
    if type(value) is not str:
        raise place.error(key, f"should be a string, not {json_kind(value)}")
    return value


def _mentions_of(text: str) -> "LinkedMentions":
    from scorch2.formats.linked import LinkedMentions

    return LinkedMentions(text)


def _word(value: object) -> str:
    """Return a label, or nothing for what is none."""
    return value if type(value) is str else ""


def _named(place: JsonPlace, *objects: Mapping[str, Any]) -> str:
    """Return the name of a document, which an object has under one of the usual keys, or its number."""
    for one in objects:
        for key in _NAMES:
            if type(one.get(key)) in (str, int):
                return str(one[key])
    return place.name


def _span(value: Mapping[str, Any], keys: tuple[str, str], refuse: "Refuse") -> Span:
    """Return the first character of a mention, and the one after the last."""
    ends: list[Any] = [value.get(key) for key in keys]
    if list(map(type, ends)) != [int, int]:
        raise refuse(f"a mention has the integers {keys[0]} and {keys[1]}")
    return ends[0], ends[1]


def of_doccano(value: Mapping[str, Any], place: JsonPlace, _: str) -> Document:
    """Read ``entities``, with ``start_offset`` and ``end_offset``, and ``relations`` between their ids."""
    found = _mentions_of(_text_of(value["text"], place, "text"))
    for i, one in enumerate(_objects(value["entities"], place, "entities", "entities")):
        refuse = partial(place.error, f"entities[{i}]")
        span = _span(one, ("start_offset", "end_offset"), refuse)
        found.add(_ident(one, "id", refuse), span, refuse, kind=_word(one.get("label")))
    for i, one in enumerate(_objects(value["relations"], place, "relations", "relations")):
        refuse = partial(place.error, f"relations[{i}]")
        ends = _ident(one, "from_id", refuse), _ident(one, "to_id", refuse)
        found.link(ends, refuse, _word(one.get("type")))
    return found.document(_named(place, value), place.path, "")


def _ident(value: Mapping[str, Any], key: str, refuse: "Refuse") -> str | int:
    ident = value.get(key)
    if type(ident) is int or (type(ident) is str and ident):
        return ident
    raise refuse(f"its {key} should be an integer or a string")


_ACCEPTED = (None, "accept")
_ENDS = ("start", "end")


def of_prodigy(value: Mapping[str, Any], place: JsonPlace, _: str) -> Document:
    """Read ``spans``, and ``relations`` from a ``head_span`` to a ``child_span``."""
    if value.get("answer") not in _ACCEPTED:
        how = "leave out what was not accepted: prodigy db-out <dataset> --answer accept"
        raise place.error("answer", f"is {quoted(value['answer'])}, so these are no annotations ({how})")
    found = _mentions_of(_text_of(value["text"], place, "text"))

    def add(one: object, inside: str) -> str:
        refuse = partial(place.error, inside)
        span = _span(_object(one), _ENDS, refuse)
        ident = f"{span[0]}-{span[1]}"
        if not found.has(ident):
            found.add(ident, span, refuse, kind=_word(_object(one).get("label")))
        return ident

    for i, one in enumerate(_objects(value.get("spans", []), place, "spans", "spans")):
        add(one, f"spans[{i}]")
    for i, one in enumerate(_objects(value["relations"], place, "relations", "relations")):
        inside = f"relations[{i}]"
        ends = [add(one.get(key), f"{inside}.{key}") for key in ("head_span", "child_span")]
        found.link(ends, partial(place.error, inside), _word(one.get("label")))
    return found.document(_named(place, _object(value.get("meta")), value), place.path, "")


def _object(value: object) -> Mapping[str, Any]:
    return value if type(value) is dict else {}


def of_label_studio(value: Mapping[str, Any], place: JsonPlace, key: str) -> Document:
    """Read the result of the only annotation of a task: regions of its text, and relations between them."""
    data = _object(value["data"])
    text, name = _text_of_task(data, place), _named(place, data, value)
    made = _objects(value[key], place, key, "annotations")
    kept = [i for i, one in enumerate(made) if one.get("was_cancelled") is not True]
    if len(kept) != 1:
        by = ", ".join(str(made[i].get("completed_by", made[i].get("model_version", "?"))) for i in kept)
        why = f"the task has {counted(len(kept), 'annotation')}{f' (by {by})' if by else ''}, and one is read"
        how = "keep one" if kept else "leave the task out, or let --key read its predictions"
        raise place.error(key, f"{why} ({how})")
    inside = f"{key}[{kept[0]}].result"
    found = _mentions_of(text)
    others = [name for name, one in data.items() if one is not text and name not in _NAMES]
    found.unread.update(map(value_of, [*others, *made[kept[0]].keys() - _OF_ANNOTATION]))
    result = _objects(made[kept[0]].get("result", []), place, inside, "regions")
    for i, one in enumerate(result):
        _take_region(one, found, place, f"{inside}[{i}]")
    return found.document(name, place.path, "")


_OF_ANNOTATION = {"result", "was_cancelled", "completed_by", "model_version", "id"}


def _text_of_task(data: Mapping[str, Any], place: JsonPlace) -> str:
    """Return the text of a task: what is called so, or its only string."""
    strings = [key for key, one in data.items() if type(one) is str and key not in _NAMES]
    key = "text" if "text" in strings or len(strings) != 1 else strings[0]
    if key not in strings:
        raise place.error("data", "should be an object with the text of the task, under text")
    return str(data[key])


def _take_region(one: Mapping[str, Any], found: "LinkedMentions", place: JsonPlace, inside: str) -> None:
    refuse = partial(place.error, inside)
    kind = one.get("type")
    if kind == "relation":
        names = require_list(one.get("labels") or [], place.path, f"{place.where}.{inside}.labels", "labels")
        ends = _ident(one, "from_id", refuse), _ident(one, "to_id", refuse)
        found.link(ends, refuse, _word(names[0]) if names else "")
        return
    region = _object(one.get("value"))
    if "start" not in region or kind not in ("labels", "hypertextlabels"):
        found.unread[value_of(str(kind))] += 1
        return
    ident = _ident(one, "id", refuse)
    if type(region["start"]) is str:
        raise refuse("is a region of HTML, whose characters are not counted (label a <Text> instead)")
    labels = region.get(str(kind))
    labels = labels if type(labels) is list and labels else [""]
    found.unread["further label"] += len(labels) - 1
    span = _span(region, _ENDS, partial(place.error, f"{inside}.value"))
    found.add(ident, span, refuse, kind=_word(labels[0]), said=_word(region.get("text")))


def of_cas(value: Mapping[str, Any], place: JsonPlace, key: str) -> Document:
    """Read the feature structures of a JSON CAS."""
    from scorch2.formats.xml.xmi import FeatureStructure, document

    found = []
    for i, one in enumerate(_objects(value[key], place, key, "feature structures")):
        refuse = partial(place.error, f"{key}[{i}]")
        if type(one.get("%TYPE")) is not str:
            raise refuse("a feature structure has a %TYPE")
        features = {name.removeprefix("@"): feature for name, feature in one.items()}
        ident, kind = str(_ident(one, "%ID", refuse)), one["%TYPE"].rpartition(".")[2]
        found.append(FeatureStructure(ident, kind, features, refuse))
    return document(found, place.name, place.path, "")


_OFFSETS = "mentions are the first character and the one after the last"
SOURCES: Sequence[Source] = (
    Source(
        "Label Studio", (("data",),), ("annotations", "predictions"), of_label_studio, _OFFSETS,
        exclusive=True, also=_NAMES,
    ),
    Source(
        "Prodigy", (("text",), ("relations",), ("spans", "tokens", "_task_hash")), (), of_prodigy, _OFFSETS,
        exclusive=True, without=("entities",), also=("meta", "answer", *_NAMES),
    ),
    Source(
        "doccano", (("text",), ("entities",), ("relations",)), (), of_doccano, _OFFSETS, exclusive=True,
        also=_NAMES,
    ),
    Source(
        "JSON CAS", (("%TYPES", "%VIEWS"),), ("%FEATURE_STRUCTURES",), of_cas,
        "mentions are annotations of UIMA",
    ),
)  # fmt: skip
"""One row per tool."""
