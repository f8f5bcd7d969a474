"""The page without a browser: its markup, its safety, its colours, and what it shows of a document."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Sequence
from html import unescape
from itertools import accumulate, chain, combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from error_pages import FIXTURES, HOSTILE, SHOWN, Parsed, clusters, hostile, written
from hypothesis import given
from hypothesis import strategies as st

from scorch2.analysis.corpus import Chosen
from scorch2.analysis.error_report import Findings, PageFindings, Scene, ShownSide, ShownText
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.sides import OrderedSide
from scorch2.cli.main import main
from scorch2.model.score import Measured
from scorch2.reports.page.frame import VIEWS, anchor, text
from scorch2.reports.page.texts import MentionPart, entity_letter, parts_of
from scorch2.scoring.flow import Scored

EXAMPLE = [str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys")]
PAGES = {
    "tokens": EXAMPLE,
    "ids": [str(FIXTURES / "errors" / "moved" / f"{side}.json") for side in ("gold", "sys")],
    "spans": [str(FIXTURES / "errors" / "spans" / f"{side}.conll") for side in ("gold", "sys")],
    "random": [str(FIXTURES / "errors" / "random-tokens" / f"{side}.conll") for side in ("gold", "sys")],
    "copied": ["--align=text", EXAMPLE[0], str(FIXTURES / "example" / "answers.md")],
    "perfect": [EXAMPLE[0], EXAMPLE[0]],
    "two systems": [f"--other={EXAMPLE[0]}", "--window=20", "--by=width", *EXAMPLE],
}
"""Words of the command by what is special about the page."""
STYLE = (Path(__file__).parent.parent.parent / "scorch2/reports/page/page.css").read_text("utf-8")
READABLE = 4.5
"""The contrast of text that is readable (WCAG 2.1, 1.4.3)."""


def made(folder: Path, *words: str) -> str:
    return written(folder / "page.html", *words).read_text("utf-8")


def counts_of(folder: Path, words: Sequence[str]) -> dict[str, int]:
    """Return the number of errors by kind, as the JSON report has it."""
    path = folder / "report.json"
    assert main(["errors", "-q", "--force", "-o", str(path), *words]) == 0
    found = json.loads(path.read_text("utf-8"))["errors"]
    return {kind: found[kind]["errors"] for kind in KINDS}


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


# Safety


@given(st.text())
def test_text_cannot_act_and_says_what_it_is(value: str) -> None:
    found = text(value)
    assert not set("<>\"'") & set(found)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]", found)
    assert "##" not in found
    if "\\" not in value:
        assert re.sub(r"\\(?:x..|u....|U.{8}|[nrt])", unescaped, unescape(found)) == value


def unescaped(escape: "re.Match[str]") -> str:
    """Return the character of an escape."""
    return escape[0].encode("ascii").decode("unicode_escape")


def test_the_policy_has_the_hashes_of_the_only_style_and_script(tmp_path: Path) -> None:
    page = made(tmp_path, *EXAMPLE)
    (policy,) = (unescape(found) for found in re.findall(r'Content-Security-Policy" content="([^"]*)"', page))
    for name in ("style", "script"):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "base-uri 'none'; form-action 'none'" in policy
    assert 'name="referrer" content="no-referrer"' in page


def test_names_and_tokens_do_nothing(tmp_path: Path) -> None:
    page = made(tmp_path, f"--title={HOSTILE[1]}", *hostile(tmp_path, HOSTILE[1].replace("/", "")))
    assert Parsed(page).wrong == []
    assert Parsed(page).all("img") == []
    assert len(Parsed(page).all("script")) == 1
    shown = unescape(page)
    assert all(word in shown for word in SHOWN)
    assert "\u202e" not in page
    assert "\x07" not in page


def test_random_names_and_tokens_never_break_a_page(tmp_path: Path) -> None:
    """The shape of a page depends on no name: it is that of the same documents with tame names."""
    letters = "<>&\"'`=/\\ -!#;ax0\u202e\u2066\x00\x07\x1b\u0301\u200d\u00a0\u3000\u0627"
    shapes = []
    for seed in range(30):
        random = Random(seed)  # noqa: S311 - any names will do
        words = ["".join(random.choices(letters, k=random.randint(1, 9))) for _ in range(12)]
        for names in (words, [f"w{i}" for i in range(12)]):
            gold = {name: [f"0.{i}-{i}", f"0.{i + 1}-{i + 2}"] for i, name in enumerate(dict.fromkeys(names))}
            system = {f"{name}x": ids[:1] for name, ids in gold.items()}
            for side, entities in (("g", gold), ("s", system)):
                sentence = [*names, *names]
                (tmp_path / f"{side}.json").write_text(clusters([sentence], entities), encoding="utf-8")
            title = re.sub("\x00", "", names[0])
            files = str(tmp_path / "g.json"), str(tmp_path / "s.json")
            page = Parsed(made(tmp_path, f"--title={title}", "--types=none", *files))
            assert page.wrong == []
            shapes.append([(name, sorted(its)) for name, its in page.elements])
        if len(dict.fromkeys(words)) == len(words):
            assert shapes[-2] == shapes[-1]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    folders = [str(FIXTURES / "example" / side) for side in ("gold", "sys")]
    assert made(tmp_path, *folders) == made(tmp_path, "-j", "2", *folders)


# Keyboards and readers of screens


@pytest.mark.parametrize("name", PAGES)
def test_switches_have_groups_and_all_is_in_the_main_part(name: str, tmp_path: Path) -> None:
    text = made(tmp_path, *PAGES[name])
    body = text.partition("<body>")[2]
    outside = re.sub(r"<main>.*</main>|<script>.*</script>", "", body, flags=re.DOTALL)
    assert re.findall(r"<(\w+)", outside) == ["a"], "only the link that skips to the content is outside"
    page = Parsed(text)
    groups = [its["aria-owns"].split() for its in page.all("p", role="group") if its["aria-label"]]
    assert [*chain.from_iterable(groups)] == [
        its["id"] for its in page.all("input", class_="switch") if its["id"][0] in "fv"
    ]


def test_a_row_of_a_text_is_one_stop_of_the_keyboard(tmp_path: Path) -> None:
    text = made(tmp_path, *PAGES["random"])
    (table,) = re.findall(
        r'<table class="text">.*?</table>|<table[^>]*class="text".*?</table>', text, re.DOTALL
    )
    rows = [re.findall(r"<a [^>]*>", row) for row in table.split("<tr")[2:]]
    stops = [sum('tabindex="-1"' not in link for link in links) for links in rows]
    assert stops == [min(len(links), 1) for links in rows]
    assert max(map(len, rows)) > 1


# Colours


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.1)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours() -> list[dict[str, str]]:
    """Return the colours of light and of dark mode by name."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in blocks]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_all_text_is_readable(mode: int) -> None:
    named = colours()[mode]
    grounds = ["paper", "soft", "none", "shown", *(f"t{hue}" for hue in range(8))]
    for ground in grounds:
        assert contrast(named["ink"], named[ground]) >= READABLE, ground
    for ground in ("paper", "soft"):
        assert contrast(named["pale"], named[ground]) >= READABLE
        assert contrast(named["link"], named[ground]) >= READABLE
    for kind in KINDS:
        assert contrast(named["on"], named[kind]) >= READABLE, kind
    assert contrast(named["focus"], named["paper"]) >= 3  # of what is no text (1.4.11)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_tints_are_the_hues_on_the_ground(mode: int) -> None:
    """Hues after Okabe and Ito; as tint 20 % on white, 34 % on the dark ground."""
    hues = ("0072b2", "e69f00", "009e73", "cc79a7", "d55e00", "56b4e9", "8a8a00", "7a5bb8")
    named, share = colours()[mode], (0.2, 0.34)[mode]
    for number, hue in enumerate(hues):
        ground = named["paper"]
        for i in (0, 2, 4):
            mixed = share * int(hue[i : i + 2], 16) + (1 - share) * int(ground[i + 1 : i + 3], 16)
            assert abs(mixed - int(named[f"t{number}"][i + 1 : i + 3], 16)) <= 1, (hue, i)


VISIONS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
"""What is seen of linear red, green and blue (Machado, Oliveira & Fernandes 2009, severity 1.0)."""
_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)
Lab = tuple[float, float, float]


def linear(colour: str) -> list[float]:
    """Return red, green and blue without the curve of sRGB (IEC 61966-2-1)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(colour: str, vision: str) -> Lab:
    """Return a colour as somebody with this vision sees it, in CIELAB (D65)."""
    seen = [sum(map(float.__mul__, map(float, row), linear(colour))) for row in VISIONS[vision]]
    seen = [min(max(part, 0.0), 1.0) for part in seen]
    xyz = [sum(map(float.__mul__, row, seen)) / white for row, white in zip(_XYZ, _WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Lab, other: Lab) -> float:
    """Return CIEDE2000 (Sharma, Wu & Dalal 2005)."""
    mean = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    wider = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    (l1, a1, b1), (l2, a2, b2) = ((light, wider * a, b) for light, a, b in (one, other))
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = math.radians((h1 + turn / 2) % 360 if c1 * c2 else h1 + h2)
    around = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    by_hue = 1 - 0.17 * math.cos(hue - math.radians(30)) + 0.24 * math.cos(2 * hue)
    by_hue += 0.32 * math.cos(3 * hue + math.radians(6)) - 0.2 * math.cos(4 * hue - math.radians(63))
    blue = math.radians(60 * math.exp(-(((math.degrees(hue) - 275) / 25) ** 2)))
    turned = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(blue)
    dl = (l2 - l1) / (1 + 0.015 * light**2 / math.sqrt(20 + light**2))
    dc, dh = (c2 - c1) / (1 + 0.045 * chroma), around / (1 + 0.015 * chroma * by_hue)
    return math.sqrt(dl**2 + dc**2 + dh**2 + turned * dc * dh)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ],
)
def test_differences_of_colours_are_those_that_were_published(one: Lab, other: Lab, expected: float) -> None:
    """Pairs of table 1 of Sharma, Wu & Dalal 2005."""
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_kinds_are_told_apart_without_colour_vision(mode: int, vision: str) -> None:
    named = colours()[mode]
    seen = {kind: lab(named[kind], vision) for kind in (*KINDS, "found")}
    close = [pair for pair in combinations(seen, 2) if difference(seen[pair[0]], seen[pair[1]]) < 10]
    assert close == [], "CIEDE2000 below 10: these are hard to tell apart"


def test_every_kind_and_view_has_its_switch_in_the_style() -> None:
    for ident in [*(f"f-{kind}" for kind in KINDS), *(f"v-{view}" for view in VIEWS)]:
        assert f"#{ident}:checked ~ .bar [for={ident}]::before" in STYLE
        assert f"#{ident}:focus-visible ~ .bar [for={ident}]" in STYLE
    for kind in KINDS:
        assert f"#f-{kind}:not(:checked) ~ #main details .{kind}" in STYLE
        assert f".mark.{kind} " in STYLE


# Entities and their places


def labels(page: str, side: str) -> list[str]:
    cells = re.findall(rf'<td class="{side}".*?</td>', page, re.DOTALL)
    return re.findall("<sup>(.*?)</sup>", "".join(cells))


def test_numbers_and_letters_of_entities(tmp_path: Path) -> None:
    """By hand: b shares two mentions with gold 1, so a, with one, gets number 2; c and d fit none."""
    sentences = [["a"] * 7]
    gold = {"g1": ["0.0-0", "0.1-1", "0.2-2"], "g2": ["0.3-3"]}
    system = {"a": ["0.0-0", "0.3-3"], "b": ["0.1-1", "0.2-2"], "c": ["0.4-4", "0.5-5"], "d": ["0.6-6"]}
    for name, entities in (("gold", gold), ("sys", system)):
        (tmp_path / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    assert labels(page, "gold") == ["1", "1", "1", "2"]
    assert labels(page, "system") == ["2", "1", "1", "2", "A", "A", "B"]
    texts = "".join(re.findall(r'<table class="text">.*?</table>', page, re.DOTALL))
    classes = re.findall(r'class="m ([\w ]+)"', texts)
    assert classes == [
        *["h0 l0"] * 3, "single",
        "single", *["h0 l0"] * 2, "single", "unfit alone", "unfit alone", "single alone",
    ]  # fmt: skip


def test_letters_go_on_after_z() -> None:
    assert [entity_letter(number) for number in (0, 25, 26, 27, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AB",
        "ZZ",
        "AAA",
    ]


def test_crossing_mentions_are_cut_and_opened_again() -> None:
    """By hand: [0, 3) and [2, 5) cross, so the second is cut at 3, and at 4, where a row ends."""
    shown = ShownText("abcdef", [(0, 4), (4, 6)], ["0", "1"], "")
    found = parts_of([[(0, 3)], [(2, 5)]], shown)
    assert found == [
        [MentionPart(0, 3, 0, is_first=True, level=1), MentionPart(2, 3, 1, is_first=True, level=0),
         MentionPart(3, 4, 1, is_first=False, level=0)],
        [MentionPart(4, 5, 1, is_first=False, level=0)],
    ]  # fmt: skip


SPANS = st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda pair: (pair[0], min(20, sum(pair))))


@given(st.lists(st.lists(SPANS, min_size=1, max_size=2), max_size=8), st.sets(st.integers(1, 19)))
def test_parts_nest_and_hold_what_the_mentions_hold(
    spans: list[list[tuple[int, int]]], cuts: set[int]
) -> None:
    ends = [0, *sorted(cuts), 20]
    rows = list(pairwise(ends))
    found = parts_of(spans, ShownText("x" * 20, rows, [""] * len(rows), ""))
    covered: list[set[int]] = [set() for _ in spans]
    for (start, end), parts in zip(rows, found, strict=True):
        for number, part in enumerate(parts):
            assert start <= part.start <= part.end <= end
            covered[part.mention] |= set(range(part.start, part.end))
            for other in parts[number + 1 :]:
                assert other.start >= part.start
                assert other.end <= part.end or other.start >= part.end
    assert covered == [{i for start, end in its for i in range(start, end)} for its in spans]
    begins = [part.mention for parts in found for part in parts if part.is_first]
    assert sorted(begins) == list(range(len(spans)))


# Texts of other kinds, and limits


def test_characters_are_shown_in_lines(tmp_path: Path) -> None:
    lines = ["Anna saw <Ben>.", "", f"She {'w ' * 150}left."]
    whole = "\n".join(lines)
    value = {"type": "clusters", "text": whole, "offsets": "exclusive", "unit": "char"}
    she = whole.index("She")
    for name, its in (("gold", [[0, 4], [she, she + 3]]), ("sys", [[0, 4], [9, 14]])):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({**value, "clusters": {"e": its}}), encoding="utf-8")
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    cells = re.findall(r'<td class="gold"[^>]*>(.*?)</td>', page)
    plain = [unescape(re.sub(r"<sup>.*?</sup>|<a .*?</a>|<[^>]*>", "", cell)) for cell in cells]
    assert plain[0] == lines[0]
    assert " ".join(plain[1:]) == lines[2]
    assert all(len(line) <= 210 for line in plain)


def test_a_text_from_right_to_left_says_so(tmp_path: Path) -> None:
    """`dir=auto` passes over mentions, so a row that begins with one would be taken for English."""
    for name in ("gold", "sys"):
        path = tmp_path / f"{name}.json"
        path.write_text(clusters([["الكتاب", "abc"], ["abc", "الكتاب"]], {"e": ["0.0-0", "1.1-1"]}))
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    assert re.findall(r'<td class="\w+" dir="(\w+)"', page) == ["rtl", "rtl", "auto", "auto"]


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
    evidence = Findings((), (), (), (), (), "none", "", page=PageFindings(score, {}, scene))
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


# Examples and links


def test_every_kind_has_its_examples_and_every_count_leads_there(tmp_path: Path) -> None:
    page = Parsed(made(tmp_path, "--types=english", *EXAMPLE))
    numbers = {kind: number for kind, number in counts_of(tmp_path, EXAMPLE).items() if number}
    assert [its["id"] for its in page.all("details", class_="kind")] == [f"kind={kind}" for kind in numbers]
    assert len(page.all("li", class_="card")) == sum(numbers.values())
    for kind in numbers:
        links = page.all("a", href=f"#kind={kind}")
        assert len(links) >= 4, kind  # name and count of the table, name and bar of the figure
        assert len([its for its in links if its.get("tabindex") != "-1"]) == 2  # in the table and the legend
    assert page.all("a", href="#doc=harbour-000&kind=divided")
    assert page.all("a", href="#doc=harbour-000&m=1.3-4&error=divided")


def test_ids_are_names_in_percent(tmp_path: Path) -> None:
    assert anchor('a b/"<&=#%ä', "m 1", side="system") == (
        "doc=a%20b%2F%22%3C%26%3D%23%25%C3%A4&m=m%201&side=system"
    )
    page = Parsed(made(tmp_path, *hostile(tmp_path, "a b&m=1 <x>")))
    assert "doc=a%20b%26m%3D1%20%3Cx%3E" in page.ids()


def test_cards_say_what_the_system_did(tmp_path: Path) -> None:
    page = made(tmp_path, *EXAMPLE)
    said = [unescape(words) for words in re.findall(r"<p>(The system [^<]*)</p>", page)]
    assert "The system has “Mara Lind” in its entity 4, the first mention in its entity 3." in said
    assert "The system lacks the whole gold entity 5: “an old friend”." in said
    assert (
        "The system joins “the councillors” and 1 more mention, of gold entity 1, to gold entity 3; they are "
        "in the wrong entity."
    ) in said


def test_cards_of_annotators_name_them_and_leave_the_text_as_it_is(tmp_path: Path) -> None:
    sentences = [["The", "gold", "of", "the", "system", "is", "it"]]
    for name, entities in (("a", {"1": ["0.0-1", "0.6-6"]}), ("b", {"2": ["0.3-4", "0.6-6"]})):
        (tmp_path / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    path = tmp_path / "page.html"
    files = [str(tmp_path / f"{name}.json") for name in "ab"]
    assert main(["agreement", "-q", "--title=x", *files, "-o", str(path)]) == 0
    page = unescape(path.read_text("utf-8"))
    assert "B lacks “The gold” of A entity 1." in page
    assert "B adds “the system”, which A lacks, to its entity 2." in page


def test_pairs_have_fifty_cards_and_those_of_the_frequent_pairs(tmp_path: Path) -> None:
    """Seventy times "he" is cut off from "Ann", three times from "Bo", the last ones of the text."""
    names = ["Ann"] * 70 + ["Bo"] * 3
    gold = {str(i): [f"{i}.0-0", f"{i}.2-2"] for i in range(73)}
    system = {f"{i}{side}": [one] for i in range(73) for side, one in zip("ab", gold[str(i)], strict=True)}
    for name, entities in (("gold", gold), ("sys", system)):
        text = clusters([[who, "says", "he", "sleeps"] for who in names], entities)
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    words = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    page = Parsed(words)
    cards = page.all("li", class_="card")
    assert len(cards) == 53
    assert [its["class"].split()[1:] for its in cards[-3:]] == [["more", "p2"]] * 3
    assert sum("p1" in its["class"].split() for its in cards) == 10
    assert [its["value"] for its in page.all("input", class_="pair")] == [None, "he ← ann", "he ← bo"]
    assert "he ← ann (70)" in words
    assert "23 more, which cost less" in words


# Entities one by one


def test_entities_are_those_that_lose_links(tmp_path: Path) -> None:
    """By hand: three gold entities lose a link, one of one mention is missing; three are conflated."""
    page = made(tmp_path, *EXAMPLE)
    shown = re.findall(r'<details id="doc=([^"&]*)&amp;entity=(\d+)(&amp;side=system)?"', page)
    assert len(shown) == 4 + 3
    assert sorted(document for document, _, system in shown if not system) == [
        "bridge-000", "harbour-000", "harbour-000", "harbour-000",
    ]  # fmt: skip
    facts = [unescape(re.sub("<[^>]*>", "", one)) for one in re.findall(r"<summary><h4>.*?</summary>", page)]
    captain = next(one for one in facts if "Its captain" in one or "Mara Lind" in one)
    assert "harbour-000 · 3 mentions · 2 pieces · 1 link lost, 33.3 % of the loss" in captain
    friend = next(one for one in facts if "an old friend" in one)
    assert "1 mention · not found · 0 links lost, 0.0 % of the loss" in friend


def test_mentions_of_an_entity_have_the_colours_of_the_other_side(tmp_path: Path) -> None:
    """By hand: of Jack, entity 1, the system has two mentions in 1, one in that of Jim, and one not."""
    sentences = [["Jack", "saw", "him", "and", "he", "left", "Jim", "there"]]
    gold = {"jack": ["0.0-0", "0.2-2", "0.4-4", "0.7-7"], "jim": ["0.6-6"]}
    system = {"a": ["0.0-0", "0.2-2"], "b": ["0.4-4", "0.6-6"]}
    for name, entities in (("gold", gold), ("sys", system)):
        (tmp_path / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    page = made(tmp_path, "--spans=none", str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    (context,) = re.findall(r'entity=1" class="entity".*?</details>', page, re.DOTALL)
    mentions = re.findall(r'<bdi class="m ([^"]*)" title="[^"]*"><sup>(.*?)</sup>(\w+)</bdi>', context)
    assert mentions == [
        ("h0 l0", "1", "Jack"), ("h0 l0", "1", "him"), ("single", "2", "he"), ("alone", "−", "there"),
    ]  # fmt: skip
    assert "4 mentions · 2 pieces · 2 links lost, 100.0 % of the loss" in unescape(
        re.sub("<[^>]*>", "", context)
    )
    ids = Parsed(page).ids()
    assert {link[1:] for link in re.findall(r'href="(#[^"]*)"', unescape(context))} <= set(ids)


def test_terms_say_what_they_are_where_the_pointer_rests(tmp_path: Path) -> None:
    for gains, heads in (("shares", 4 + 2), ("order", 4 + 4), ("none", 4)):
        page = made(tmp_path, f"--gains={gains}", *EXAMPLE)
        table = page[page.index('class="kinds"') : page.index("</thead>", page.index('class="kinds"'))]
        assert len(re.findall(r'<span title="[^"]+">', table)) == heads
    kinds = Parsed(page).all("label")[: len(KINDS)]
    assert all(its["title"] for its in kinds)
