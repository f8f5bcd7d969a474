"""The recipes of the guide's page on gates, run as they are printed in a new repository."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import EXAMPLE, ROOT

import scorch2
from scorch2 import guide
from scorch2.formats import SUFFIXES
from scorch2.formats.table import FORMATS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the recipes are made for a POSIX shell")


def gitlab() -> str:
    """Return the script of the job, without the line that installs scorch2."""
    (script,) = re.findall(r"^  script:\n(.*?)^  \w", guide.page("ci"), re.DOTALL | re.MULTILINE)
    items = re.sub(r"\n {6}(?=\S)", " ", script)  # an item goes on where a line begins further in
    lines = [line.strip().removeprefix("- ") for line in items.splitlines()]
    assert lines[0].startswith("pip install ")
    return "\n".join(lines[1:])


def make(target: str = "score") -> str:
    """Return the commands of a rule, as make gives them to the shell."""
    (rule,) = re.findall(rf"^{target}: out/sys\n((?:\t.*\n)+)", guide.page("ci"), re.MULTILINE)
    return str(rule).replace("\n\t", "\n").lstrip("\t").replace("$$", "$")


def first_make() -> str:
    """Return the commands of the rule that makes the baseline."""
    return make("first-baseline")


def first_github() -> str:
    """Return the command that makes the baseline of the action."""
    found = re.search(r"^mkdir -p scores && scorch2 .*--update-baseline.*$", guide.page("ci"), re.MULTILINE)
    assert found is not None
    return found[0]


def done(script: str, folder: Path, branch: str = "main") -> subprocess.CompletedProcess[str]:
    """Run a script in a folder, with this scorch2 on the path; it ends with the first command that fails."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "scorch2"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m scorch2 "$@"\n', "utf-8")
    program.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-ec", script],  # noqa: S607 - as make and the runner call it
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            "PYTHONPATH": str(ROOT),
            "CI_COMMIT_BRANCH": branch,
            "CI_DEFAULT_BRANCH": "main",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def in_yaml(text: str, key: str) -> str:
    """Return the only value of a key, without a comment behind it."""
    (value,) = re.findall(rf"^ *{key}: (\S+)", text, re.MULTILINE)
    return str(value)


def test_the_hook_looks_at_files_of_every_format() -> None:
    pattern = in_yaml((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), "files")
    names = [f"data/d{suffix}" for row in FORMATS.values() for suffix in row.suffixes if not row.has_marks]
    names += [f"{name}{packed}" for name in names for packed in SUFFIXES]
    assert [name for name in names if not re.search(pattern, name)] == []
    assert not re.search(pattern, "data/d.txt")  # the text beside a file of brat


def test_the_recipe_of_the_hook_names_a_version() -> None:
    assert in_yaml(guide.page("ci"), "rev") == f"v{scorch2.__version__}"  # of a branch pre-commit warns


@pytest.mark.parametrize(
    ("first", "recipe", "baseline", "report"),
    [
        (gitlab, gitlab, "scores/baseline.json", "report.json"),
        (first_make, make, "baseline.json", "scores.json"),
    ],
)
def test_a_recipe_makes_the_first_baseline_and_compares_with_it(
    first: Callable[[], str], recipe: Callable[[], str], baseline: str, report: str, tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLE / "gold", tmp_path / "data" / "gold")
    shutil.copytree(EXAMPLE / "gold", tmp_path / "out" / "sys")
    assert done(first(), tmp_path).returncode == 0
    made = (tmp_path / baseline).read_bytes()
    assert done(recipe(), tmp_path).returncode == 0
    shutil.rmtree(tmp_path / "out" / "sys")
    shutil.copytree(EXAMPLE / "sys", tmp_path / "out" / "sys")
    worse = done(recipe(), tmp_path)
    assert (worse.returncode, "conll.f1 drops by at most 0.01 (1 %)" in worse.stderr) == (1, True)
    assert (tmp_path / baseline).read_bytes() == made
    assert (tmp_path / report).read_bytes() != made


@pytest.mark.parametrize("recipe", [gitlab, make])
def test_a_change_that_deletes_the_baseline_fails(recipe: Callable[[], str], tmp_path: Path) -> None:
    for side in ("data/gold", "out/sys"):
        shutil.copytree(EXAMPLE / "gold", tmp_path / side)
    for branch in ("other", ""):  # a merge request has no branch
        failed = done(recipe(), tmp_path, branch)
        assert (failed.returncode, "--update-baseline makes it" in failed.stderr) == (2, True)


def test_the_baseline_of_the_action_is_made_by_hand(tmp_path: Path) -> None:
    for side in ("data/gold", "out/sys"):
        shutil.copytree(EXAMPLE / "gold", tmp_path / side)
    assert done(first_github(), tmp_path).returncode == 0
    assert (tmp_path / "scores" / "baseline.json").exists()
