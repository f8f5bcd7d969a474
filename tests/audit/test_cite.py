"""Papers behind numbers: each metric, profile and test has its row, and what is printed is BibTeX."""

import re
from pathlib import Path
from typing import TypeAlias

import pytest

import scorch2
from scorch2.audit import cite
from scorch2.cli.main import main
from scorch2.model.settings import TESTS
from scorch2.model.values import PROFILES
from scorch2.scoring.metrics import METRICS

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM = str(EXAMPLE / "gold"), str(EXAMPLE / "sys")
Parsed: TypeAlias = dict[str, dict[str, str]]
NEEDED = {"inproceedings": "booktitle", "article": "journal", "book": "publisher", "misc": "url"}
"""What BibTeX asks of each kind of entry besides author, title and year."""


def parsed(text: str) -> Parsed:
    """Return the fields of each entry by its key; an error for what is no BibTeX."""
    found: Parsed = {}
    for entry in filter(None, text.split("\n\n")):
        head, *lines, end = entry.rstrip("\n").split("\n")
        kind, key = re.fullmatch(r"@(\w+)\{([a-z0-9-]+),", head).groups()  # type: ignore[union-attr]  # it matches
        assert (end, key in found) == ("}", False)
        matches = [re.fullmatch(r"  (\w+) = \{(.*)\},", line) for line in lines]
        fields = [(match[1], match[2]) for match in matches if match]
        assert len(fields) == len(lines)
        assert all(value.count("{") == value.count("}") and value.isascii() for _, value in fields)
        found[key] = {"kind": kind, **dict(fields)}
        assert len(found[key]) == len(fields) + 1, "no field stands twice"
    return found


def test_every_metric_profile_and_test_has_its_papers() -> None:
    years = {name: sorted(re.findall(r"\d{4}", row.source)) for name, row in METRICS.items()}
    cited = {name: sorted(key[-4:] for key in row.papers) for name, row in METRICS.items()}
    odd = [name for name in METRICS if years[name] != cited[name]]
    assert odd == [], "`source` of the metric has other years than its `papers`, which papers.bib has"
    assert set(cite.OF_TESTS) == set(TESTS)
    tables = (cite.OF_TESTS, cite.OF_CORRECTIONS)
    used = {key for table in tables for keys in table.values() for key in keys}
    used |= {key for row in (*METRICS.values(), *PROFILES.values()) for key in row.papers}
    assert used == set(cite.PAPERS), "each paper is cited for something"


def test_every_paper_is_an_entry() -> None:
    every = parsed("\n".join(cite.PAPERS.values()))
    assert list(every) == list(cite.PAPERS)
    for key, fields in every.items():
        assert {"author", "title", "year", NEEDED[fields["kind"]]} <= fields.keys(), key
        assert key.endswith(fields["year"])
        assert re.fullmatch(r"\{[^{}]*\}", fields["title"]), f"{key}: no braces in titles, one is put around"
        assert re.fullmatch(r"\d+--\d+", fields.get("pages", "1--2"))
        assert fields.get("url", "http").startswith("http")
        assert all(", " in name for name in fields["author"].split(" and "))


def test_the_citation_file_of_the_repository_says_what_cite_prints() -> None:
    cff = (EXAMPLE.parent.parent / ".github" / "CITATION.cff").read_text("utf-8")
    told = dict(re.findall(r"^(?:  - )?([\w-]+): \"?(.+?)\"?$", cff, re.MULTILINE))
    fields = parsed(cite.SCORCH2)["scorch2"]
    assert (told["version"], f"{{{told['name']}}}") == (scorch2.__version__, fields["author"])
    assert fields["note"] == f"Version {scorch2.__version__}"
    assert (f"{{{told['title']}}}", told["license"], told["cff-version"]) == (fields["title"], "MIT", "1.2.0")
    assert told["type"] == "software"


def papers_of(text: str) -> list[str]:
    """Return the keys of the papers, behind which scorch2 itself stands."""
    *found, own = parsed(text)
    assert own == "scorch2"
    return found


def keys(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["cite", *words]) == 0
    return papers_of(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-m", "muc,lea"], ["vilain-etal-1995", "moosavi-strube-2016"]),
        (["-m", "bcub", "--profile=ua-2.0"], ["bagga-baldwin-1998", "yu-etal-2023"]),
        (["-m", "muc", "--match=mina"], ["vilain-etal-1995", "moosavi-etal-2019"]),
        (
            ["-m", "copied", "--confidence=95", "--test=permutation", "--holm"],
            ["holm-1979", "noreen-1989", "efron-tibshirani-1993"],
        ),
        (["-m", "copied", "--test=bootstrap"], ["efron-tibshirani-1993", "berg-kirkpatrick-etal-2012"]),
        (["-m", "conll"], ["vilain-etal-1995", "bagga-baldwin-1998", "luo-2005", "pradhan-etal-2012"]),
    ],
)
def test_a_command_prints_the_papers_of_its_options(
    words: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert keys(capsys, *words) == expected


def test_nothing_typed_cites_the_default_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    assert "moosavi-strube-2016" in keys(capsys)


@pytest.mark.parametrize("profile", ["scorch", "conll", "e2e", "ua-2.0", "ua-1.0", "coval"])
def test_a_report_cites_its_profile(profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "r.json")
    assert main(["-q", f"--profile={profile}", "-m", "muc", "-o", path, GOLD, SYSTEM]) == 0
    expected = {"vilain-etal-1995", *PROFILES[profile].papers}
    assert set(keys(capsys, path)) == expected
    report = scorch2.score(GOLD, SYSTEM, profile=profile, metrics=["muc"])  # type: ignore[arg-type]  # a name
    assert set(papers_of(report.citations())) == expected


def test_a_report_cites_its_intervals_and_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = scorch2.score(GOLD, SYSTEM, metrics=["muc"])
    assert set(papers_of(report.citations())) == {"vilain-etal-1995"}
    paths = [str(tmp_path / name) for name in ("r.json", "s.json")]
    assert main(["-q", "--confidence=95", "--trials=20", "-m", "muc", "-o", paths[0], GOLD, SYSTEM]) == 0
    assert set(keys(capsys, paths[0])) == {"vilain-etal-1995", "efron-tibshirani-1993"}
    verdict = scorch2.model.results.Verdict("max-drop", "muc", "f1", 0.1, 0.5, 0.6, passed=False, p=0.01)
    tested = report._replace(gates=[verdict])
    assert set(papers_of(tested.citations())) == {"vilain-etal-1995", "noreen-1989"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "nothing"], 'unknown metric "nothing"'),
        (["--profile=x"], 'unknown profile "x"'),
        (["--test=t"], 'unknown test "t"'),
        (["-m", "muc", "r.json"], "--metric and a report exclude each other"),
        (["no.json"], "no such file"),
        ([str(EXAMPLE / "are.json")], "no such file"),
    ],
)
def test_what_cannot_be_cited_is_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cite", *words]) == 2
    assert message in capsys.readouterr().err


def test_reports_of_other_tasks_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "r.json")
    assert main(["evaluate", "-q", "-g", str(EXAMPLE / "gold.tsv"), str(EXAMPLE / "sys.tsv"), "-f", "json",
                 "--report", f"json:{path}", "-o", str(tmp_path / "x.json")]) == 0  # fmt: skip
    capsys.readouterr()
    assert main(["cite", path]) == 2
    assert "cite knows those of scorch2 score" in capsys.readouterr().err
