"""The page without a browser: its markup, what it shows of a report, and how much of a corpus."""

import json
import re
from itertools import accumulate
from pathlib import Path

import pytest
from error_pages import EXAMPLE, FIXTURES, RANDOM, Parsed, clusters, counts_of, hostile, made
from hypothesis import given
from hypothesis import strategies as st

from scorch2.analysis.corpus import Chosen
from scorch2.analysis.error_report import Findings, PageFindings, Scene, ShownSide, ShownText
from scorch2.analysis.kinds import KINDS, OrderedSide
from scorch2.cli.main import main
from scorch2.model.score import Measured
from scorch2.scoring.flow import Scored

PAGES = {
    "tokens": EXAMPLE,
    "ids": [str(FIXTURES / "errors" / "moved" / f"{side}.json") for side in ("gold", "sys")],
    "spans": [str(FIXTURES / "errors" / "spans" / f"{side}.conll") for side in ("gold", "sys")],
    "random": RANDOM,
    "copied": ["--align=text", EXAMPLE[0], str(FIXTURES / "example" / "answers.md")],
    "perfect": [EXAMPLE[0], EXAMPLE[0]],
    "two systems": [f"--other={EXAMPLE[0]}", "--window=20", "--by=width", *EXAMPLE],
}
"""Words of the command by what is special about the page."""


# Markup


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_leads_nowhere_else(name: str, tmp_path: Path) -> None:
    page = Parsed(made(tmp_path, *PAGES[name]))
    assert page.wrong == []
    ids = page.ids()
    assert len(ids) == len(set(ids))
    links = [its["href"][1:] for its in page.all("a")]
    links += [its["for"] for its in page.all("label")]
    assert set(links) <= set(ids)
    assert len(page.all("h1")) == 1
    levels = [int(name[1]) for name, _ in page.elements if re.fullmatch("h[1-6]", name)]
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all("scope" in its for its in page.all("th"))
    assert all(its.get("aria-label") for its in page.all("svg", role="img"))
    assert len(page.all("main")) == len(page.all("header")) == 1


@pytest.mark.parametrize("name", PAGES)
def test_every_error_has_a_row_and_a_mark(name: str, tmp_path: Path) -> None:
    page = Parsed(made(tmp_path, *PAGES[name]))
    for kind, number in counts_of(tmp_path, PAGES[name]).items():
        its = [item for item in page.all("li", class_="error") if kind in item["class"].split()]
        assert len(its) == number, kind
        marks = 0 if name == "ids" else 2 * number if kind == "span" else number
        assert len([its for its in page.all("a", class_="mark") if kind in its["class"].split()]) == marks


def test_the_page_of_score_is_that_of_errors(tmp_path: Path) -> None:
    own = made(tmp_path, "-m", "muc,lea", *EXAMPLE)
    path = tmp_path / "score.html"
    assert main(["-q", "-m", "muc,lea", *EXAMPLE, str(path)]) == 0
    assert path.read_text("utf-8") == own


def test_gates_and_intervals_are_on_the_page_of_score(tmp_path: Path) -> None:
    path = tmp_path / "score.html"
    words = ["-q", "--fail-under=lea=0.99", "--confidence=95", "--trials=50", "-f", "html", "-o", str(path)]
    assert main([*words, *EXAMPLE]) == 1
    page = path.read_text("utf-8")
    assert "1 of 1 gate failed" in page
    assert re.search(r">\d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\]<", page)


def test_other_reports_of_score_are_the_same_beside_a_page(tmp_path: Path) -> None:
    for name, words in (("alone", []), ("beside", ["--report=html:" + str(tmp_path / "page.html")])):
        assert main(["-q", *words, *EXAMPLE, str(tmp_path / f"{name}.json")]) == 0
    assert (tmp_path / "alone.json").read_bytes() == (tmp_path / "beside.json").read_bytes()


def test_a_stored_report_gives_a_page_of_scores(tmp_path: Path) -> None:
    stored, path = str(tmp_path / "report.json"), tmp_path / "gate.html"
    assert main(["-q", *EXAMPLE, stored]) == 0
    assert main(["gate", "-q", f"--report=html:{path}", "--fail-under=lea=0.1", stored]) == 0
    page = Parsed(path.read_text("utf-8"))
    assert page.wrong == []
    assert page.all("details") == []
    assert len(page.all("section")) == 2


def test_scores_that_were_asked_for_are_shown_by_class(tmp_path: Path) -> None:
    """The links by type and size are shown in any case; what --by asks for are the scores."""
    by = ["type", "size", "length"]
    page = made(tmp_path, "--types=english", f"--by={','.join(by)}", *EXAMPLE)
    assert [name for name in by if page.count(f"<caption>Scores by {name}. ") == 1] == by
    nominal = "".join(f'<td class="n">{cell}</td>' for cell in ("12", "11", "91.67"))  # by hand: 11 of 12
    assert nominal in page
    assert page.count("whatever the average") == len(by)
    assert "Scores by" not in made(tmp_path, "--types=english", *EXAMPLE)


def test_sentences_are_shown_only_if_the_files_have_breaks_between_them(tmp_path: Path) -> None:
    with_breaks = made(tmp_path, *EXAMPLE)
    without = []
    for path in EXAMPLE:
        joined = tmp_path / Path(path).name
        joined.write_text(re.sub(r"\n\n+(?!#)", "\n", Path(path).read_text("utf-8")), encoding="utf-8")
        without.append(str(joined))
    headings = [
        re.findall("<h3>By the (sentences|mentions) back", page)
        for page in (with_breaks, made(tmp_path, *without))
    ]
    assert headings == [["sentences"], ["mentions"]]


def test_the_title_names_the_second_system(tmp_path: Path) -> None:
    other = str(FIXTURES / "example" / "other")
    gold, system = (str(FIXTURES / "example" / name) for name in ("gold", "sys"))
    page = made(tmp_path, f"--other={other}", gold, system)
    assert f"<title>{system} against {gold}, compared with {other}</title>" in page


def test_the_line_of_a_document_counts_its_errors_in_words(tmp_path: Path) -> None:
    page = made(tmp_path, "-m", "lea", *EXAMPLE)
    plain = re.sub("<span[^>]*>|</span>", "", page)
    assert re.findall(r"; (\d errors?: [^<]*)</summary>", plain) == [  # by hand, see the guide
        "4 errors: 1 conflated entity, 2 divided entities, 1 missing entity",
        "2 errors: 1 conflated entity, 1 divided entity",
        "1 error: 1 conflated entity",
    ]


# Keyboards and readers of screens


@pytest.mark.parametrize("name", PAGES)
def test_switches_have_groups_and_all_is_in_the_main_part(name: str, tmp_path: Path) -> None:
    text = made(tmp_path, *PAGES[name])
    body = text.partition("<body>")[2]
    outside = re.sub(r"<main>.*</main>|<script>.*</script>", "", body, flags=re.DOTALL)
    assert re.findall(r"<(\w+)", outside) == ["a"], "only the link that skips to the content is outside"
    page = Parsed(text)
    groups = re.findall(r'<p class="switches" role="group" aria-label="[^"]+"?>(.*?)</p>', text, re.DOTALL)
    inside = re.findall(r'<input [^>]*id="([fvo]-[^"]*)"', "".join(groups))
    assert inside == [its["id"] for its in page.all("input", class_="switch")] != []


def test_a_row_of_a_text_is_one_stop_of_the_keyboard(tmp_path: Path) -> None:
    text = made(tmp_path, *PAGES["random"])
    (table,) = re.findall(
        r'<table class="text">.*?</table>|<table[^>]*class="text".*?</table>', text, re.DOTALL
    )
    rows = [re.findall(r"<a [^>]*>", row) for row in table.split("<tr")[2:]]
    stops = [sum('tabindex="-1"' not in link for link in links) for links in rows]
    assert stops == [min(len(links), 1) for links in rows]
    assert max(map(len, rows)) > 1


def test_terms_say_what_they_are_where_the_pointer_rests(tmp_path: Path) -> None:
    for gains, heads in (("shares", 4 + 2), ("order", 4 + 4), ("none", 4)):
        page = made(tmp_path, f"--gains={gains}", *EXAMPLE)
        table = page[page.index('class="kinds"') : page.index("</thead>", page.index('class="kinds"'))]
        assert len(re.findall(r'<span title="[^"]+">', table)) == heads
    kinds = Parsed(page).all("label")[: len(KINDS)]
    assert all(its["title"] for its in kinds)


@pytest.mark.parametrize(
    ("gains", "kinds", "terms"),
    [
        ("shares", {"conflated", "divided", "missing_entity"}, {"share", "point", "in the wrong entity"}),
        (
            "order",
            {"conflated", "divided", "missing_entity"},
            {"alone", "in order", "point", "in the wrong entity"},
        ),
        ("none", {"conflated", "divided", "missing_entity"}, {"in the wrong entity"}),
    ],
)
def test_the_words_are_those_that_the_page_has(
    gains: str, kinds: set[str], terms: set[str], tmp_path: Path
) -> None:
    page = made(tmp_path, f"--gains={gains}", *EXAMPLE)
    told = re.findall(r"<dt>(.*?)</dt>", page[page.index('<section id="words"') :])
    assert {kind for kind in KINDS if any(f'"mark {kind}"' in one for one in told)} == kinds
    assert terms == {"share", "point", "alone", "in order", "in the wrong entity"}.intersection(told)


def test_one_sentence_says_what_costs_most(tmp_path: Path) -> None:
    """By hand: of three lost links each gold entity loses one; the harbour is the first of them."""
    page = re.sub("<[^>]*>", "", re.findall(r'<p id="most">.*?</p>', made(tmp_path, *EXAMPLE))[0])
    assert page.startswith("Conflated entities cost most: 11.3 of 22.2 points of CoNLL F1; ")
    assert (
        "of gold entities the harbour loses most links (1 of 3); of documents harbour-000 scores low" in page
    )


def test_equal_sides_have_no_errors_and_the_page_says_so(tmp_path: Path) -> None:
    page = made(tmp_path, EXAMPLE[0], EXAMPLE[0])
    assert "No errors: all that is scored is equal on both sides." in page


def test_a_dimension_that_is_left_out_says_why(tmp_path: Path) -> None:
    said = "Not by the type of mention: a document has no tags, so types of mentions are not known"
    assert said in made(tmp_path, *EXAMPLE)
    assert said not in made(tmp_path, "--types=english", *EXAMPLE)


def test_every_dimension_that_is_left_out_says_why(tmp_path: Path) -> None:
    for name, entities in (("gold", {"1": ["a", "b"]}), ("sys", {"1": ["a"], "2": ["b"]})):
        (tmp_path / f"{name}.json").write_text(json.dumps({"type": "clusters", "clusters": entities}))
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    where = page[page.index('<section id="where"') :].partition("</section>")[0]
    assert re.findall(r">(Not by [^:<]*: a document has no \w+)", where) == [
        "Not by the type of mention: a document has no tags",
        "Not by the sentences back to the mention before in the entity: a document has no sentences",
        "Not by the text: a document has no words",
        "Not by category: a document has no categories",
    ]


# Limits and choices


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([5, 5, 5], ["d0", "d1"]),  # two fit into 10 tokens
        ([11, 1, 1], ["d0"]),  # one at least
        ([4, 8, 1], ["d0"]),  # no later one jumps ahead
    ],
)
def test_texts_of_the_lowest_documents_are_shown_while_they_fit(
    sizes: list[int], expected: list[str], tmp_path: Path
) -> None:
    for number, size in enumerate(sizes):  # the score rises with the number
        ids = [f"0.{i}-{i}" for i in range(size)]
        found = ids[:number] if number else ids[:1]
        for side, members in (("gold", ids), ("sys", found)):
            path = tmp_path / side / f"d{number}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(clusters([["w"] * size], {"e": members}), encoding="utf-8")
    page = made(tmp_path, "--text-tokens=10", "-m", "mentions", str(tmp_path / "gold"), str(tmp_path / "sys"))
    names = re.findall(r'<details id="doc=\w+" class="document".*?<bdi>(\w+)</bdi>', page)
    ranked = re.findall(r'<th scope="row">(?:<a href="#doc=d\d+">)?<bdi>(d\d)</bdi>', page)
    assert len(ranked) == len(sizes)
    assert len(names) == len(expected)
    assert names == ranked[: len(names)]
    assert f"{len(sizes) - len(names)} of {len(sizes)} document" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--text-tokens=5"], "leaves out the text of 2 documents (more with --text-tokens)"),
        (["--text-tokens=5", "--document=bridge-000"], ""),
        ([], ""),
    ],
)
def test_a_page_that_leaves_something_out_says_so_on_standard_error(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", *words, *EXAMPLE, str(tmp_path / "page.html")]) == 0
    found = capsys.readouterr().err
    assert found == (f"scorch2: warning: the page {said}\n" if said else "")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=12), st.integers(1, 20))
def test_texts_are_a_beginning_of_the_ranking(documents: list[tuple[int, int]], room: int) -> None:
    """Whatever the order in which they come: the lowest ones that fit together, and one at least."""
    found = Chosen(room)
    kept = [list(found.watch([outcome(*document)], 1)) for document in documents]
    assert all(one[0].details.page.scene is None for one in kept if isinstance(one[0], Scored))
    order = sorted(range(len(documents)), key=lambda place: (documents[place][0], place))
    spent = list(accumulate(documents[place][1] for place in order))
    number = max(1, sum(size <= room for size in spent))
    assert [place for place, _ in found.scenes()] == order[:number]


def outcome(score: int, size: int) -> Scored:
    """Return a scored document with as many tokens."""
    side = ShownSide(OrderedSide([], [], [], [], []), [], [], [], "")
    scene = Scene("d", side, side, [], ShownText(["w"] * size, [], [], " "))
    evidence = Findings((), (), (), "none", "", page=PageFindings(score, scene))
    return Scored(Measured("d", 0, 0, ()), [], ("", "", "", ""), details=evidence)


def test_kinds_and_documents_choose_what_is_shown(tmp_path: Path) -> None:
    page = Parsed(made(tmp_path, "--kind=divided", "--document=harbour-000", *EXAMPLE))
    assert [its["id"] for its in page.all("details") if "open" in its] == ["kind=divided", "doc=harbour-000"]
    assert len(page.all("details", class_="document")) == len(page.all("details", class_="kind")) == 1
    assert (
        len([its for its in page.all("li", class_="error") if "divided" in its["class"]]) == 2
    )  # see the guide
    assert page.all("li", class_="conflated") == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--title=x"], "--title is about the page: it needs -f html"),
        (["--text-tokens=9"], "--text-tokens is about the page: it needs -f html"),
        (["-f", "html", "--text-tokens=0"], "--text-tokens"),
        (["--page=plain"], "--page is about the page: it needs -f html"),
        (["--page=compressed"], "--page is about the page: it needs -f html"),
        (["--text-tokens=100000"], "--text-tokens is about the page: it needs -f html"),
        (["-f", "html", "--page=flat"], 'unknown way to write the page "flat"'),
        (["-f", "html", "--document=harbor-000"], "did you mean harbour-000?"),
        (["--kind=divided"], "it needs --list=errors, --list=examples or -f html"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out"
    assert main(["errors", *words, *EXAMPLE, str(path)]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = hostile(tmp_path)
    Path(system).write_text('{"type": "clusters", "clusters": {"e": ["0.0-0"', encoding="utf-8")
    path = tmp_path / "page.html"
    assert main(["errors", gold, system, str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not path.exists()
