"""The scorer for spaCy is found by its name, and scores span groups as configurations ask for."""

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import scorch2

spacy = pytest.importorskip("spacy")
from confection import Config  # noqa: E402 - comes with spaCy
from spacy.language import Language  # noqa: E402 - if it is there
from spacy.tokens import Doc  # noqa: E402 - if it is there
from spacy.training import Example  # noqa: E402 - if it is there

ROOT = Path(__file__).parent.parent.parent
Scorer: TypeAlias = Callable[..., dict[str, float]]
NAME = "scorch2.coref_scorer.v1"
TEXT = "Ann saw Bo. She waved at him."
ANN, BO, SHE, HIM = (0, 3), (8, 10), (12, 15), (25, 28)
GOLD = {"coref_clusters_1": [ANN, SHE], "coref_clusters_2": [BO, HIM]}
SYSTEM = {"coref_clusters_1": [ANN, SHE, HIM]}
# By hand. Links: 1 of 2 and 1 of 2. B³: (1 + 1 + 0 + 1/2) / 4 and (2/3 + 2/3 + 1/3) / 3. CEAF_e: ann and she
# of the cluster of three, 4/5, of two gold clusters and of one. LEA: (2·1 + 2·0) / 4 and 3·(1/3) / 3.
BY_HAND = {
    "coref_muc_r": 1 / 2,
    "coref_muc_p": 1 / 2,
    "coref_muc_f": 1 / 2,
    "coref_b_cubed_r": 5 / 8,
    "coref_b_cubed_p": 5 / 9,
    "coref_b_cubed_f": 10 / 17,
    "coref_ceaf_e_r": 2 / 5,
    "coref_ceaf_e_p": 4 / 5,
    "coref_ceaf_e_f": 8 / 15,
    "coref_lea_r": 1 / 2,
    "coref_lea_p": 1 / 3,
    "coref_lea_f": 2 / 5,
    "coref_r": 1 / 2,
    "coref_p": 1 / 3,
    "coref_f": 2 / 5,
    "coref_conll_f": (1 / 2 + 10 / 17 + 8 / 15) / 3,
}


@pytest.fixture(scope="module")
def nlp() -> Language:
    blank: Language = spacy.blank("en")
    return blank


@pytest.fixture(scope="module")
def make() -> Callable[..., Scorer]:
    found: Callable[..., Scorer] = spacy.registry.scorers.get(NAME)
    return found


def doc(nlp: Language, groups: Mapping[str, Sequence[tuple[int, int]]]) -> Doc:
    """Return the text with span groups that are given by characters."""
    made = nlp.make_doc(TEXT)
    for name, spans in groups.items():
        made.spans[name] = [span for ends in spans if (span := made.char_span(*ends))]
    return made


def example(nlp: Language, gold: Any = GOLD, system: Any = SYSTEM) -> Example:
    return Example(doc(nlp, system), doc(nlp, gold))


def test_scores_are_those_counted_by_hand(nlp: Language, make: Callable[..., Scorer]) -> None:
    assert make()([example(nlp)]) == pytest.approx(BY_HAND, abs=1e-15)


def test_groups_of_other_names_are_no_clusters(nlp: Language, make: Callable[..., Scorer]) -> None:
    others = {"coref_clusters": [BO], "coref_clusters_x": [BO], "coref_clusters_1_2": [BO], "sc": [BO]}
    assert make()([example(nlp, {**GOLD, **others}, {**SYSTEM, **others})]) == pytest.approx(BY_HAND)


def test_clusters_of_heads_have_another_prefix(nlp: Language, make: Callable[..., Scorer]) -> None:
    sides = [{f"coref_head_clusters_{name[-1]}": side[name] for name in side} for side in (GOLD, SYSTEM)]
    assert make("coref_head_clusters")([example(nlp, *sides)]) == pytest.approx(BY_HAND)
    assert make()([example(nlp, *sides)]) == dict.fromkeys(BY_HAND, 0.0)


def test_tokens_spaces_and_case_may_differ(nlp: Language, make: Callable[..., Scorer]) -> None:
    other = Doc(nlp.vocab, words=["AN", "N", "saw", "Bo.", "\n", "she", "waved", "at", "hi", "m", "."])
    other.spans["coref_clusters_1"] = [other[0:2], other[5:6], other[8:10]]
    found = make()([Example(other, doc(nlp, GOLD))])
    assert found == pytest.approx(BY_HAND)
    with pytest.raises(ValueError, match=r"\[E949\]"):  # though spaCy itself aligns no such tokens
        _ = Example(Doc(nlp.vocab, words=["Ann", "sees"]), doc(nlp, GOLD)).alignment


def test_two_texts_are_refused(nlp: Language, make: Callable[..., Scorer]) -> None:
    wrong = Example(nlp.make_doc(TEXT.replace("waved", "wove")), doc(nlp, GOLD))
    with pytest.raises(scorch2.InputError, match=r"^example 2: reference and prediction are two texts"):
        make()([example(nlp), wrong])


def test_documents_are_added_up_unless_options_say_otherwise(
    nlp: Language, make: Callable[..., Scorer]
) -> None:
    right = Example(doc(nlp, {"coref_clusters_1": [ANN, SHE]}), doc(nlp, {"coref_clusters_1": [ANN, SHE]}))
    two = [example(nlp), right]
    assert make(metrics=["muc"])(two)["coref_muc_r"] == 2 / 3  # links: 1 + 1 of 2 + 1
    assert make(metrics=["muc"], options={"average": "macro"})(two)["coref_muc_r"] == 3 / 4
    assert make(metrics=["muc"], profile=None)(two)["coref_muc_r"] == (4 * 1 / 2 + 2 * 1) / 6


def test_no_example_is_worth_nothing(make: Callable[..., Scorer]) -> None:
    assert make()([]) == dict.fromkeys(BY_HAND, 0.0)


def test_a_span_in_two_clusters_stays_in_the_first(nlp: Language, make: Callable[..., Scorer]) -> None:
    twice = example(nlp, system={"coref_clusters_1": [ANN, SHE, HIM], "coref_clusters_2": [SHE]})
    with pytest.warns(scorch2.ScorchWarning, match="already in cluster"):
        assert make()([twice]) == pytest.approx(BY_HAND)


CASES = json.loads((ROOT / "fixtures" / "spacy" / "lea.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_lea_is_that_of_spacy_experimental(
    case: Mapping[str, Any], nlp: Language, make: Callable[..., Scorer]
) -> None:
    examples = []
    for sides in case["documents"]:
        docs = [Doc(nlp.vocab, words=[f"w{number}" for number in range(12)]) for _ in range(2)]
        for made, side in zip(docs, ("system", "gold"), strict=True):
            for number, cluster in enumerate(sides[side], 1):
                made.spans[f"coref_clusters_{number}"] = [made[start:end] for start, end in cluster]
        examples.append(Example(*docs))
    found = make()(examples)
    for part in ("coref_r", "coref_p", "coref_f"):
        assert found[part] == pytest.approx(case[part], abs=1e-12)


# In a pipeline


class Resolver:
    """A component that finds the clusters of `SYSTEM`."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer

    def __call__(self, made: Doc) -> Doc:
        for name, spans in SYSTEM.items():
            made.spans[name] = [span for ends in spans if (span := made.char_span(*ends))]
        return made

    def score(self, examples: Sequence[Example], **settings: Any) -> dict[str, float]:
        return self.scorer(examples, **settings)


CONFIG = """
[nlp]
lang = "en"
pipeline = ["coref"]

[components]

[components.coref]
factory = "resolver_of_tests"

[components.coref.scorer]
@scorers = "scorch2.coref_scorer.v1"
metrics = ["muc", "b3"]

[components.coref.scorer.options]
average = "macro"
"""


@pytest.fixture(scope="module")
def config() -> Config:
    Language.factory(
        "resolver_of_tests",
        default_config={"scorer": {"@scorers": NAME}},
        func=lambda nlp, name, scorer: Resolver(scorer),  # noqa: ARG005 - spaCy gives them by name
    )
    return Config().from_str(CONFIG)


def test_a_pipeline_is_evaluated_as_its_configuration_says(config: Config) -> None:
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    data = {"spans": {name: [(*span, "") for span in spans] for name, spans in GOLD.items()}}
    found = nlp.evaluate([Example.from_dict(nlp.make_doc(TEXT), data)])
    wanted = {name: value for name, value in BY_HAND.items() if "ceaf" not in name and "conll" not in name}
    assert {name: found[name] for name in found if name.startswith("coref")} == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"metrics": ["muk"]}, 'unknown metric "muk", did you mean muc'),
        ({"options": {"singeltons": "drop"}}, 'unknown argument of CorefScorer "singeltons", did you mean'),
        ({"profile": "con"}, 'unknown profile "con"'),
        ({"prefix": "x"}, "unexpected argument|extra fields not permitted"),
    ],
)
def test_a_wrong_setting_is_told_before_the_training(
    settings: Mapping[str, Any], said: str, config: Config
) -> None:
    with pytest.raises((scorch2.UsageError, ValueError), match=said):
        spacy.util.load_model_from_config(
            config.merge({"components": {"coref": {"scorer": settings}}}), auto_fill=True
        )


def test_a_scorer_pickles_with_its_pipeline(nlp: Language, make: Callable[..., Scorer]) -> None:
    again = pickle.loads(pickle.dumps(make(options={"singletons": "drop"})))  # noqa: S301 - of this test
    assert again([example(nlp)]) == pytest.approx(BY_HAND)
