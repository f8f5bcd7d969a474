"""Rows of the exploded format for tests, and what is known of a document that was read from them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scorch2.formats.reading import documents
from scorch2.model.document import Document, Words
from scorch2.model.markables import Relations, StoredMarkable, Word

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
CASES = [
    path
    for path in sorted((FIXTURES / "universal_anaphora").glob("ua-*/*.ua"))
    if path.parent.name != "ua-18-error-key-spelling"
]
HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def row(name: object, identity: str = "_", bridging: str = "_", deixis: str = "_", form: str = "w") -> str:
    return f"{name}\t{form}\t_\tNOUN\t_\t_\t0\troot\t_\t_\t{identity}\t{bridging}\t{deixis}\t_\t_\n"


def mark(entity: object, markable: object, more: str = "") -> str:
    """Return an opening bracket without its end."""
    return f"(EntityID={entity}|MarkableID={markable}{more}"


TEXT = (
    "# newdoc id = d\n# sent_id = s1\n"
    + row(1, mark(1, "a", "|Min=2|SemType=dn|ElementOf=3"), form="the")
    + row(2, ")", form="cat")
    + row("2.1", mark(2, "b") + ")" + mark("9-Pseudo", "p", "|SemType=expletive") + ")")
    + row("2.2", mark(1, "c") + ")")
    + "\n# sent_id = s2\n"
    + row("3-4", form="dusel")
    + row(3, mark(1, "e", "|Min=5") + mark(2, "f", "|ElementOf=3") + ")", deixis=mark(1, "x", "|Min=3,4"))
    + row(4, ")", "(MarkableID=e|Rel=part|MentionAnchor=b)(MarkableID=f|EntityAnchor=1)", deixis=")")
    + row(5)
    + row(6, mark(1, "e", "|Min=5") + ")" + mark(3, "g") + ")", "(MarkableID=zz|MentionAnchor=a)")
    + "\n"
)


def one(text: str, path: str = "d.ua") -> Document:
    (document,) = documents(text.encode(), path, "ua")
    return document


def words(*places: tuple[int, int] | tuple[int, int, int]) -> tuple[Word, ...]:
    return tuple(Word(*place) for place in places)


def known(document: Document) -> tuple[Any, Relations]:
    assert document.markables is not None
    assert document.relations is not None
    found = {
        name: [StoredMarkable(*(getattr(one, field) for field in StoredMarkable._fields)) for one in members]
        for name, members in document.markables().items()
    }
    return found, document.relations()


def in_any_order(document: Document) -> list[object]:
    """Return all that is known of a document; the order of entities and links means nothing."""
    markables, relations = known(document)
    assert document.words is not None
    assert document.trees is not None
    return [
        document.id,
        {name: sorted(map(repr, members)) for name, members in document.clusters.items()},
        {name: sorted(map(repr, members)) for name, members in markables.items()},
        {name: set(members) for name, members in relations.sets.items()},
        sorted(map(repr, relations.bridging)),
        sorted(map(repr, relations.non_referring)),
        [document.words(), document.sentences, document.trees()],
        {name: in_any_order(layer) for name, layer in document.layers.items()},
    ]


def plain(clusters: dict[str, list[Any]], lengths: Sequence[int] = (4,), **more: Any) -> Document:
    return Document(
        "d", clusters, "d.x", sentences=list(lengths), words=Words(list, ["w"] * sum(lengths)), **more
    )
