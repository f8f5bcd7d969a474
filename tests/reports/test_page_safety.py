"""The safety of the page: what files say is shown and never run, whatever it is."""

import base64
import hashlib
import re
from html import unescape
from pathlib import Path
from random import Random

from effort import share_of
from error_pages import EXAMPLE, FIXTURES, HOSTILE, SHOWN, Parsed, clusters, hostile, made
from hypothesis import given
from hypothesis import strategies as st

from scorch2.reports.page.frame import text


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
    for seed in range(share_of(30)):
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
