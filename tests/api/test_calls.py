"""Python hears: each notice is a warning at the line of the call, and messages speak of arguments."""

import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.api.arguments import as_arguments
from scorch2.formats.table import FORMATS
from scorch2.model.options import INPUTS, OPTIONS
from scorch2.model.values import PROFILES

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM, OTHER = (str(EXAMPLE / side) for side in ("gold", "sys", "other"))
TWICE: list[list[str]] = [["a", "b"], ["a", "c"]]
"""A mention in two clusters."""
SAID = 'gold: $.clusters["1"][0]: mention "a" is already in cluster "0" and stays there'
INCLUSIVE = [[(3 * i, 3 * i + 1) for i in range(9)]]
EXCLUSIVE = [[(start, end + 1) for start, end in INCLUSIVE[0]]]
SHIFTED = (
    "0 % of the mentions match; 100 % would match if gold ends were inclusive and system ends were "
    'exclusive: gold_offsets="inclusive" sys_offsets="exclusive"'
)
FEW = "over 3 documents are coarse (less than 10)"


def heard(call: Callable[[], object]) -> list[str]:
    """Return the warnings of a call; all name the line of the call, which is in this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(one.filename == __file__ and one.category is scorch2.ScorchWarning for one in caught)
    return [str(one.message) for one in caught]


def updated() -> scorch2.CorefScorer:
    scorer = scorch2.CorefScorer(duplicates="first")
    scorer.update(gold=TWICE, system=[["a", "b"]], id="d")
    return scorer


CALLS: dict[str, tuple[Callable[[], object], list[str]]] = {
    "nothing to say": (lambda: scorch2.score([["a"]], [["a"]]), []),
    "score": (lambda: scorch2.score(TWICE, [["a", "b"]], duplicates="first"), [SAID]),
    "errors": (lambda: scorch2.errors(TWICE, [["a", "b"]], duplicates="first"), [SAID]),
    "assert_scores": (lambda: scorch2.assert_scores(TWICE, [["a", "b"]], duplicates="first", muc=0), [SAID]),
    "compute": (
        lambda: scorch2.compute(predictions=[[["a", "b"]]], references=[TWICE], duplicates="first"),
        [SAID.replace("gold", "document 1: gold", 1)],
    ),
    "CorefScorer.update": (updated, []),
    "CorefScorer.compute": (lambda: updated().compute(), [f"d: {SAID}"]),
    "confidence": (lambda: scorch2.confidence(SYSTEM, gold=GOLD, trials=9), [f"trials {FEW}"]),
    "significance": (lambda: scorch2.significance([SYSTEM, OTHER], gold=GOLD, trials=9), [f"trials {FEW}"]),
    "compare": (
        lambda: scorch2.compare([SYSTEM, OTHER], gold=GOLD, trials=9),
        [f"tests and intervals {FEW}"],
    ),
    "what a page leaves out": (
        lambda: scorch2.errors(GOLD, SYSTEM, title="errors", text_tokens=1),
        ["the page leaves out the text of 2 documents (more with text_tokens)"],
    ),
    "spans": (lambda: scorch2.score(INCLUSIVE, EXCLUSIVE), [SHIFTED]),
}


@pytest.mark.parametrize("name", CALLS)
def test_each_notice_is_a_warning_at_the_line_of_the_call(name: str) -> None:
    call, expected = CALLS[name]
    assert heard(call) == expected


def test_workers_are_heard_too() -> None:
    with ThreadPoolExecutor(1) as executor:
        found = heard(
            lambda: scorch2.score(GOLD, str(EXAMPLE / "sys.conll"), executor=executor, pair="order")
        )
    assert found == heard(lambda: scorch2.score(GOLD, str(EXAMPLE / "sys.conll"), pair="order"))


def test_of_a_kind_the_first_five_are_heard_and_how_many_more_there_are() -> None:
    gold = {f"d{i}": [["a", "b"]] for i in range(8)}
    found = heard(lambda: scorch2.score(gold, {"d0": [["a", "b"]]}, missing="skip"))
    assert found[4] == "d5: the gold document has no system output and was skipped"
    assert found[5:] == ["… and 2 more of this kind (missing)"]


def test_filters_of_warnings_work() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", scorch2.ScorchWarning)
        with pytest.raises(scorch2.ScorchWarning, match="already in cluster"):
            scorch2.score(TWICE, [["a"]], duplicates="first")
        warnings.filterwarnings("ignore", "gold: .* is already in", scorch2.ScorchWarning)
        scorch2.score(TWICE, [["a"]], duplicates="first")


def test_a_report_that_is_given_is_not_heard_again() -> None:
    one, other = (updated().compute() for _ in range(2))
    assert heard(lambda: scorch2.confidence(one, trials=9)) == [
        "trials over 1 document are coarse (less than 10)"
    ]
    assert len(heard(lambda: scorch2.compare({"one": one, "other": other}, trials=9))) == 1


def test_a_stored_report_is_heard(tmp_path: Path) -> None:
    updated().compute().save(tmp_path / "r.json")
    assert f"d: {SAID}" in heard(lambda: scorch2.confidence(tmp_path / "r.json", trials=9))


@pytest.fixture
def many() -> scorch2.Report:
    clusters = [["a", "b"], *([["a"]] * 6)]
    return scorch2.score(clusters, [["a", "b"]], duplicates="first")


def test_at_most_five_stand_below_the_table(many: scorch2.Report) -> None:
    assert len(many.notices) == 6  # five, and that there are more
    lines = str(many).split("\n")
    assert lines[-7] == ""
    assert lines[-6] == f"warning: {many.notices[0].message}"
    assert lines[-1] == "warning: … and 1 more (all are in .notices)"
    assert many._repr_html_().count("warning: ") == 6
    assert "&quot;a&quot; is already" in many._repr_html_()


def test_tables_without_a_notice_end_as_they_did() -> None:
    report = scorch2.score([["a"]], [["a"]], metrics=["muc"])
    assert "warning" not in str(report) + report._repr_html_()


@pytest.mark.parametrize("kind", ["errors", "confidence", "significance", "compare"])
def test_other_values_show_them_too(kind: str) -> None:
    values: dict[str, Callable[[], Any]] = {
        "errors": lambda: scorch2.errors(TWICE, [["a", "b"]], duplicates="first"),
        "confidence": lambda: scorch2.confidence(SYSTEM, gold=GOLD, trials=9),
        "significance": lambda: scorch2.significance([SYSTEM, OTHER], gold=GOLD, trials=9),
        "compare": lambda: scorch2.compare([SYSTEM, OTHER], gold=GOLD, trials=9),
    }
    value = values[kind]()
    assert str(value).count("\nwarning: ") == value._repr_html_().count("warning: ") == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: scorch2.score(TWICE, []),
            'duplicates="first" keeps the first cluster, duplicates="merge" joins',
        ),
        (lambda: scorch2.score(GOLD, str(EXAMPLE / "are")), "missing="),
        (
            lambda: scorch2.score(
                *(map(scorch2.read, (EXAMPLE / "gold.conll", EXAMPLE / "sys.conll"))), match="mina"
            ),
            'match="mina"',
        ),
        (lambda: updated().merge(scorch2.CorefScorer()), "duplicates is first here and error there"),
        (lambda: scorch2.errors([["a"]], [["a"]], windows=[5]), "windows needs"),
    ],
)
def test_errors_speak_of_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(scorch2.ScorchError) as caught:
        call()
    assert "--" not in str(caught.value)
    assert message in str(caught.value)


def test_names_in_messages_stay_as_they_are() -> None:
    for text in (
        'document "--pair=order"',
        "gold/--pair.json",
        "a--pair=order",
        "--force",
        "--no-such=1",
        "-f",
    ):
        assert as_arguments(text) == text
    assert as_arguments("--window or --sys-offsets=inclusive or exclusive") == (
        'windows or sys_offsets="inclusive" or "exclusive"'
    )


# What help shows


def public_functions() -> Iterator[tuple[str, Any]]:
    for name in scorch2.__all__:
        value = getattr(scorch2, name)
        if inspect.isclass(value):
            yield name, value
            yield from (
                (f"{name}.{inner}", one) for inner, one in inspect.getmembers(value) if inner[0] != "_"
            )
        elif callable(value):
            yield name, value


@pytest.mark.parametrize(
    "name", ["score", "errors", "CorefScorer", "compute", "confidence", "significance", "compare"]
)
def test_signatures_show_every_choice_with_its_default(name: str) -> None:
    parameters = inspect.signature(getattr(scorch2, name)).parameters
    of_files = () if name in ("CorefScorer", "compute") else OPTIONS
    for option in OPTIONS.values():
        if option.row.for_files and not of_files:
            assert option.name not in parameters
        else:
            assert parameters[option.name].default == option.default
            kind = option.values[-1] if option.values else "str"
            assert kind in str(parameters[option.name])
    assert "profile" in parameters
    assert all(one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) for one in parameters.values())
    assert name in ("CorefScorer", "compute") or INPUTS.keys() <= parameters.keys()


def test_help_lists_profiles_formats_and_choices_from_their_tables() -> None:
    doc = " ".join((scorch2.score.__doc__ or "").split())
    assert f": {', '.join(PROFILES)}." in doc
    assert f": {', '.join(FORMATS)}." in doc
    for option in OPTIONS.values():
        assert f"``{option.name}`` : {' '.join(option.values) or option.row.value}" in doc


@every(("name", "value"), [*public_functions()])
def test_help_names_only_what_is_public(name: str, value: Any) -> None:
    doc = value.__doc__ or ""
    own = {found.split(".")[0] for found in re.findall(r"scorch2\.([a-z_][\w.]*)", doc)}
    assert own <= {*scorch2.__all__, "compute"}, f"{name} names a module below scorch2, which is private"
    assert "{" not in re.sub(r"(?s)Examples\n.*|``[^`]*``", "", doc), (
        f"{name} asks for a table that there is not"
    )
