"""Scores of output in which some errors are corrected, against output that is corrected by hand."""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from effort import share_of
from error_model import KINDS, Mention, Model
from span_clusters import TEXT, Clusters, about, random_pair

import scorch2
from scorch2.model.document import Document
from scorch2.model.score import main_part

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
METRICS = ("muc", "b_cubed", "ceaf_e", "lea", "conll", "mentions")
PRONOUNS = {
    "he",
    "she",
    "it",
    "they",
    "him",
    "her",
    "them",
    "mine",
    "his",
    "its",
    "their",
    "we",
    "i",
    "you",
    "me",
}


def corrected(model: Model, is_chosen: Callable[[str, tuple[Mention, ...]], bool]) -> list[set[Mention]]:
    """Correct some errors one by one; an error is its kind and its mentions."""
    chosen = {kind: [its for its in model.errors[kind] if is_chosen(kind, its)] for kind in KINDS}
    now = [set(entity) for entity in model.system]
    for (mention,) in chosen["span"]:
        for entity in now:
            if model.to_system[mention] in entity:
                entity.remove(model.to_system[mention])
                entity.add(mention)
    for its in chosen["conflated"]:
        forms = {form for mention in its for form in (mention, model.to_gold[mention])}
        (holder,) = [entity for entity in now if entity & forms]
        now += [holder & forms]
        holder -= forms
    for mention in [
        mention for kind in ("extra_mention", "extra_entity") for its in chosen[kind] for mention in its
    ]:
        for entity in now:
            entity.discard(mention)
    for its in chosen["divided"]:
        (gold,) = [entity for entity in model.gold if its[0] in entity]
        homes = [holder_of(model, now, mentions) for mentions in (model.pieces(gold, of_gold=True)[0], its)]
        if homes[0] is not homes[1]:
            homes[0] |= homes[1]
            homes[1].clear()
    for (mention,) in chosen["missing_mention"]:
        (gold,) = [entity for entity in model.gold if mention in entity]
        holder_of(model, now, model.pieces(gold, of_gold=True)[0]).add(mention)
    now += [set(its) for its in chosen["missing_entity"]]
    return [entity for entity in now if entity]


def holder_of(model: Model, now: list[set[Mention]], piece: Collection[Mention]) -> set[Mention]:
    """Return the entity that holds a piece of a gold entity, also by mentions with other spans."""
    forms = {form for mention in piece for form in (mention, model.to_system[mention])}
    (holder,) = [entity for entity in now if entity & forms]
    return holder


def document(clusters: Collection[Collection[Mention]]) -> Document:
    return Document("d", {str(n): [*members] for n, members in enumerate(clusters)}, sentences=[TEXT])


def compare(gold: Clusters, system: Clusters, words: str, is_chosen: "Chooses") -> None:
    """Compare a scenario with the scores of output that is corrected explicitly."""
    model = Model(gold, system, lambda *_: True)
    right = corrected(model, partial(is_chosen, model))
    found = scorch2.errors(document(gold), document(system), what_if=words, metrics=METRICS, gains="none")
    (supposed,) = found.what_if
    number = sum(is_chosen(model, kind, its) for kind in KINDS for its in model.errors[kind])
    scores = scorch2.score(document(gold), document(right), metrics=METRICS).scores
    with about(gold, system, [[*entity] for entity in right]):
        assert (supposed.name, supposed.errors) == (words, number)
        for name, score in supposed.scores.items():
            assert main_part(score) == pytest.approx(float(main_part(scores[name]))), name


def entity_of(entities: Clusters, mention: Mention) -> list[Mention]:
    return next(entity for entity in entities if mention in entity)


Chooses: TypeAlias = Callable[[Model, str, tuple[Mention, ...]], bool]


def of_kinds(kinds: Collection[str]) -> Chooses:
    return lambda _, kind, __: kind in kinds


def of_size(size: int) -> Chooses:
    def is_chosen(model: Model, kind: str, its: tuple[Mention, ...]) -> bool:
        side = model.system if kind in KINDS[1:4] else model.gold
        return len(entity_of(side, its[0])) == size

    return is_chosen


def of_entity(entity: list[Mention]) -> Chooses:
    """Choose the errors of a gold entity, and of what is wrongly in one that begins with it."""

    def is_chosen(model: Model, kind: str, its: tuple[Mention, ...]) -> bool:
        if kind not in KINDS[1:4]:
            return its[0] in entity
        if kind == "conflated" and model.to_gold[its[0]] in entity:
            return True
        pieces = model.pieces(entity_of(model.system, its[0]), of_gold=False)
        return bool(pieces) and model.to_gold[pieces[0][0]] in entity

    return is_chosen


def of_any(*rules: Chooses) -> Chooses:
    return lambda *error: any(is_chosen(*error) for is_chosen in rules)


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_output_that_is_corrected(seed: int) -> None:
    random = Random(f"what if {seed}")  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(60)):
        gold, system = random_pair(random)
        if not (gold and system):
            continue
        kinds = random.sample(KINDS, random.randrange(1, 4))
        size, number = random.randrange(1, 3), random.randrange(len(gold))
        entity = of_entity(gold[number])
        compare(gold, system, ",".join(f"kind:{kind}" for kind in kinds), of_kinds(kinds))
        compare(gold, system, f"size:{size}", of_size(size))
        compare(gold, system, f"entity:{number}", entity)
        words = f"entity:d/{number},kind:{kinds[0]},size:{size}"
        compare(gold, system, words, of_any(of_kinds(kinds[:1]), of_size(size), entity))


def test_an_entity_whose_errors_are_corrected_is_right() -> None:
    random = Random("right entities")  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(200)):
        gold, system = random_pair(random)
        model = Model(gold, system, lambda *_: True)
        for entity in gold:
            right = corrected(model, partial(of_entity(entity), model))
            with about(gold, system):
                assert set(entity) in right


def test_patterns_are_those_of_the_listing() -> None:
    random = Random("patterns that are right")  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(30)):
        gold, system = random_pair(random)
        if not (gold and system):
            continue
        for row in scorch2.errors(document(gold), document(system), list="errors", gains="none").list[:5]:
            for pattern in row["patterns"]:
                words = f"pattern:{pattern}"
                found = scorch2.errors(document(gold), document(system), list="errors", pattern=pattern)
                its = {(one["kind"], one["mentions"][0]) for one in found.list}
                compare(gold, system, words, partial(is_listed, its))


@pytest.mark.parametrize("average", ["pooled", "macro", "mentions"])
def test_every_set_of_kinds_has_the_score_of_its_scenario(average: Any) -> None:
    random = Random(f"sets of kinds {average}")  # noqa: S311 - a sample, not a secret
    pairs = [random_pair(random) for _ in range(4)]
    sides = [
        [document(pair[side])._replace(id=f"d{number}") for number, pair in enumerate(pairs)]
        for side in (0, 1)
    ]
    every = scorch2.errors(*sides, average=average)
    kinds = [kind for kind in KINDS if every.errors[kind].errors]
    chosen = [
        [kind for place, kind in enumerate(kinds) if number >> place & 1] for number in range(2 ** len(kinds))
    ]
    words = [",".join(f"kind:{kind}" for kind in its) for its in chosen[1:]]
    found = scorch2.errors(*sides, average=average, what_if=words)
    assert [score["conll"] for score in every.after_kinds.values()] == [
        pytest.approx(float(main_part(scores["conll"])))
        for scores in (every.report.scores, *(supposed.scores for supposed in found.what_if))
    ]


def is_listed(rows: set[tuple[str, str]], _: Model, kind: str, its: tuple[Mention, ...]) -> bool:
    return (kind, f"0.{its[0][0]}-{its[0][1] - 1}") in rows


def is_first_in(mentions: Collection[Mention], _: str, its: tuple[Mention, ...]) -> bool:
    return its[0] in mentions


def test_errors_at_pronouns_are_those_whose_first_mention_is_one() -> None:
    documents = {side: scorch2.read(EXAMPLE / f"{side}.conll") for side in ("gold", "sys")}
    found = scorch2.errors(*documents.values(), what_if="type:pronoun", types="english", spans="none")
    right = []
    for gold, system in zip(*documents.values(), strict=True):
        words = [word.lower() for word in gold.words()]
        model = Model(gold.clusters.values(), system.clusters.values(), None)
        at_pronouns = {(place, place + 1) for place, word in enumerate(words) if word in PRONOUNS}
        entities = corrected(model, partial(is_first_in, at_pronouns))
        right.append(system._replace(clusters={str(n): sorted(its) for n, its in enumerate(entities)}))
    scores = scorch2.score(documents["gold"], right).scores
    assert found.what_if[0].errors == 3
    for name, score in found.what_if[0].scores.items():
        assert main_part(score) == pytest.approx(float(main_part(scores[name]))), name


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", 'what_if takes kind:<name>, pattern:<name>, entity:<id> or <dimension>:<class>, not ""'),
        ([3], "what_if takes errors, such as kind:span,type:pronoun"),
        ("kind", 'not "kind"'),
        ("kind:spans", 'unknown kind "spans", did you mean span?'),
        ("type:pronouns", 'unknown type "pronouns", did you mean pronoun?'),
        ("kinds:span", 'not "kinds:span"'),
        ("entity:a\\,b,kind:span", 'no gold entity is called "a,b"'),
        ("entity:9", 'no gold entity is called "9"'),
        ("type:pronoun", "has no tags, so types of mentions are not known"),
    ],
)
def test_what_does_not_name_errors_is_refused(words: Any, why: str) -> None:
    with pytest.raises(scorch2.ScorchError) as error:
        scorch2.errors(document([[(0, 1), (2, 3)]]), document([[(0, 1)]]), what_if=words)
    assert why in str(error.value)
