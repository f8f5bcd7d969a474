"""Scores of CorefUD files are those of the CorefUD scorers 1.2 and 1.1, under the profiles of these names.

Their numbers are in `fixtures/universal_anaphora`. Files that end in an error there are scored or refused.
"""

from typing import Any

import peer_runs
import pytest
from every import every
from peer_runs import FOLDER, check

import scorch2
from scorch2.cli.main import main

METRICS = peer_runs.metrics("muc bcub ceafe ceafm blanc lea mor zero")
ZEROS = {"linear": "place", "dependent": "dependency"}
REFUSED = {
    "corefud-20-error-no-header": "line 4: Entity before a line # global.Entity = eid-etype-head-other",
    "corefud-21-error-word-mismatch": "both sides must have the same words",
    "corefud-23-missing-last-sentence": "5 tokens in .* but 10 in gold",
}
"""Cases that end with an error here; the scorer takes no notice of a sentence that lacks at the end."""


def runs(*, failed: bool = False) -> list[tuple[str, dict[str, Any]]]:
    return [
        (case, run)
        for case, run in peer_runs.runs("corefud-*")
        if ("error" in run) == failed and (failed or case not in REFUSED)
    ]


def test_all_runs_are_there() -> None:
    assert (len(runs()), len(runs(failed=True)), len(aligned())) == (354, 78, 210)


def score(case: str, run: dict[str, Any], **choices: Any) -> scorch2.Report:
    """Score a case as the words of the run's command line say."""
    args = run["args"]
    if "-z" in args:
        choices["zeros"] = ZEROS[args[args.index("-z") + 1]]
    sides = (FOLDER / case / f"{side}.conllu" for side in ("key", "sys"))
    return scorch2.score(
        *sides,
        profile=f"corefud-{run['peer'].split()[-1]}",  # type: ignore[arg-type]  # one of the two
        match=args[args.index("-a") + 1],
        singletons="keep" if "-s" in args else "drop",
        **choices,
    )


@every(("case", "run"), runs())
def test_scores_are_those_of_the_profile(case: str, run: dict[str, Any]) -> None:
    report = score(case, run)
    check(report, run["scores"], METRICS)
    mean = sum(run["scores"][name]["f"] for name in ("muc", "bcub", "ceafe")) / 3
    assert report.conll.f1 == pytest.approx(mean, abs=1e-9)
    mixed_up = any(notice.code == "lookup" for notice in report.notices)
    assert mixed_up == ("alignment-collision" in run.get("flags", ())), "a warning where it matters"


def aligned() -> list[tuple[str, dict[str, Any]]]:
    """Return the runs of the newer scorer, which pairs mentions itself, but where it cannot."""
    return [
        (case, run) for case, run in runs() if "1.2" in run["peer"] and "span-in-two-entities" not in case
    ]


@every(("case", "run"), aligned())
def test_scores_of_pairs_are_those_of_the_scorers_own_alignment(case: str, run: dict[str, Any]) -> None:
    """`by_alignment` has what they give if the scorer itself differs from them."""
    check(score(case, run, lookup="pairs"), {**run["scores"], **run.get("by_alignment", {})}, METRICS)


@every(("case", "run"), runs(failed=True))
def test_what_ends_in_an_error_there_is_scored_or_refused(case: str, run: dict[str, Any]) -> None:
    if case in REFUSED:
        with pytest.raises(scorch2.InputError, match=REFUSED[case]):
            score(case, run)
    else:
        assert 0 <= score(case, run).conll.f1 <= 1


@pytest.mark.parametrize("peer", ["1.2", "1.1"])
def test_a_text_that_lacks_its_end_is_refused(peer: str) -> None:
    case = "corefud-23-missing-last-sentence"
    with pytest.raises(scorch2.InputError, match=REFUSED[case]):
        score(case, {"peer": peer, "args": ["-a", "head"]})


def test_a_mention_in_two_entities_is_a_warning() -> None:
    """By default it is an error."""
    case = "corefud-14-span-in-two-entities"
    report = score(case, {"peer": "1.2", "args": ["-a", "head"]})
    (notice,) = report.notices
    assert notice.message.endswith('mention "0.0-0" ("the") is already in cluster "d1e1"; both are kept')
    with pytest.raises(scorch2.InputError, match="is already in cluster"):
        score(case, {"peer": "1.2", "args": ["-a", "head"]}, lookup="pairs")


def test_zeros_without_dependencies_are_a_warning() -> None:
    """The scorer divides by zero there."""
    report = score("corefud-18-error-zero-without-deps", {"peer": "1.2", "args": ["-a", "head"]})
    assert [one.message for one in report.notices if one.code != "same"] == [
        "1 zero of gold and 1 zero of the system without DEPS can have no partner by dependency"
    ]
    assert report.zero_anaphora.f1 == 1, "they stand at the same place"


@pytest.mark.parametrize("side", ["key", "sys"])
def test_a_file_without_newdoc_is_scored(side: str) -> None:
    """The peer ends in a TypeError."""
    case = FOLDER / "corefud-19-error-no-newdoc"
    path = str(case / f"{side}.conllu")
    assert scorch2.score(path, path).conll.f1 == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--lookup=reference", "--twinless=singletons"], "twinless=singletons needs lookup=pairs"),
        (["--lookup=nearest", "--zeros=dependency"], "zeros=dependency makes pairs"),
        (
            ["--lookup=nearest", "--match=craft"],
            "lookup=nearest knows match=exact, head and partial, not craft",
        ),
        (
            ["--lookup=nearest", "--match=mina"],
            "lookup=nearest knows match=exact, head and partial, not mina",
        ),
        (["--lookup=reference", "-m", "ceaf_m_sys"], "ceaf_m_sys is not defined for mentions"),
    ],
)
def test_look_ups_cannot_be_joined_with_everything(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(FOLDER / "corefud-r01" / "key.conllu")
    assert main(["score", *words, path, path]) == 2
    assert why in capsys.readouterr().err


def test_errors_are_of_clusters(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / "corefud-r01" / "key.conllu")
    assert main(["errors", "-m", "mor", path, path]) == 2
    assert "errors do not change mention_overlap" in capsys.readouterr().err


@pytest.mark.parametrize(("spelled", "meant"), ZEROS.items())
def test_values_of_the_scorer_are_understood(spelled: Any, meant: str) -> None:
    path = FOLDER / "corefud-r01" / "key.conllu"
    assert scorch2.score(path, path, zeros=spelled).options.zeros == meant
