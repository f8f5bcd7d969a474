"""``--latex``: the width of LaTeX tables, on every command that writes them."""

from pathlib import Path

import pytest
from every import every

import scorch2
from scorch2.cli.main import main

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM = (str(EXAMPLE / name) for name in ("gold.conll", "sys.conll"))
COMMANDS = {
    "score": ["score"],
    "errors": ["errors", "--gains=none"],
    "compare": ["compare", "--against=none"],
    "agreement": ["agreement"],
}


def shown(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*words, "-q", GOLD, SYSTEM]) == 0
    return capsys.readouterr().out


@every("command", COMMANDS)
def test_the_width_asks_for_the_form(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = COMMANDS[command]
    assert shown([*words, "--latex=column"], capsys) == shown([*words, "-f", "latex"], capsys)
    page = shown([*words, "--latex=page"], capsys)
    assert page == shown([*words, "-f", "latex", "--latex=page"], capsys)
    assert r"\begin{table*}" in page


@every("command", COMMANDS)
def test_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words, message in (
        (["--latex=wide"], 'unknown width of --latex "wide" (known: column, page)'),
        (["--latex=page", "-f", "json"], "--latex is the width of LaTeX tables: it needs -f latex"),
        (["--latex=page", "-o", "x.md"], "--latex is the width of LaTeX tables: it needs -f latex"),
    ):
        assert main([*COMMANDS[command], *words, GOLD, SYSTEM]) == 2
        assert message in capsys.readouterr().err


def test_a_report_besides_has_the_width(tmp_path: Path) -> None:
    path = tmp_path / "x.tex"
    assert main(["-q", "--latex=page", "-f", "json", f"--report=latex:{path}", GOLD, SYSTEM]) == 0
    assert path.read_text("utf-8") == scorch2.score(GOLD, SYSTEM).to_latex("page")


def test_python_has_both_widths() -> None:
    report = scorch2.score(GOLD, SYSTEM)
    assert r"\begin{table}" in report.to_latex()
    with pytest.raises(scorch2.UsageError, match='unknown width "wide"'):
        report.to_latex("wide")  # type: ignore[arg-type]  # what is asked for
