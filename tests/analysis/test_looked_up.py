"""Errors under profiles that look mentions up: told where pairs of mentions have the same counts."""

from pathlib import Path

import pytest
from every import every

import scorch2
from scorch2.cli.main import main
from scorch2.model.values import ProfileName

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "universal_anaphora"
PROFILES: tuple[ProfileName, ...] = ("corefud-1.2", "corefud-1.1", "ua-2.0")
SEVERAL = {
    "corefud-1.2": {"corefud-12-zero-chain-collision", "corefud-r06"},
    "corefud-1.1": {"corefud-03-same-head", "corefud-r04", "corefud-r06"},
    "ua-2.0": set(),
}
"""Cases in which a mention stands for several, or is found through a partner that has another one."""
_TWICE = "corefud-14-span-in-two-entities"
_ZEROS_TWICE = "corefud-24-span-in-two-entities-zero"
TWICE = {"corefud-1.2": {_TWICE, _ZEROS_TWICE}, "corefud-1.1": {_TWICE, _ZEROS_TWICE}, "ua-2.0": {_TWICE}}
"""Cases with a mention in two clusters, which an analysis refuses unless told otherwise."""
CASES = sorted(
    path.name for path in FOLDER.glob("corefud-*") if "error" not in path.name and "missing" not in path.name
)


def sides(case: str) -> list[str]:
    return [str(FOLDER / case / f"{side}.conllu") for side in ("key", "sys")]


@every("profile", PROFILES)
@every("case", CASES)
def test_errors_explain_the_scores_of_a_profile_or_are_refused(case: str, profile: ProfileName) -> None:
    """Every link that MUC of the profile loses is in one error, and classes add up to its counts."""
    is_twice = case in TWICE[profile]
    if case in SEVERAL[profile] or is_twice:
        with pytest.raises(scorch2.InputError, match="already in" if is_twice else "use lookup=pairs"):
            scorch2.errors(*sides(case), profile=profile)
        return
    plain = scorch2.errors(*sides(case), profile=profile, by="size").to_dict()
    expected = scorch2.score(*sides(case), profile=profile, metrics=["muc", "mentions"]).to_dict()["counts"]
    for name, counts in expected.items():
        assert plain["counts"][name] == counts
        for key, number in counts.items():
            assert sum(row[name][key] for row in plain["breakdown"]["size"]) == number
    for part in ("recall", "precision"):
        lost = expected["muc"][f"{part}_den"] - expected["muc"][f"{part}_num"]
        assert sum(one["links"][part] for one in plain["errors"].values()) == lost


def test_the_refusal_says_why_and_what_helps(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--profile=corefud-1.2", *sides("corefud-r06")]
    for command in (["errors"], ["score", "--by=size", "-ftable"]):
        assert main([*command, *words]) == 2
        said = capsys.readouterr().err
        assert "with lookup=reference a mention may stand for several, and here it does" in said
        assert "use lookup=pairs, not lookup=reference" in said
        assert main([*command, "-q", "--lookup=pairs", *words]) == 0
        capsys.readouterr()


def test_the_metrics_of_a_profile_that_count_more_than_clusters_are_left_out() -> None:
    found = scorch2.errors(*sides("corefud-r01"), profile="corefud-1.2")
    assert list(found.gains) == ["lea", "conll"]
    assert "mention_overlap" not in found.report.scores


def test_a_page_of_scores_needs_no_pairs(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["-q", "--profile=corefud-1.2", *sides("corefud-r06"), str(page)]) == 0
    assert "<h1" in page.read_text("utf-8")


def test_a_second_system_is_compared_under_a_profile(capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = sides("corefud-02-boundaries")
    assert main(["errors", "-q", "--profile=corefud-1.2", f"--other={gold}", gold, system]) == 0
    assert "Wrong links that both make: 0." in capsys.readouterr().out
