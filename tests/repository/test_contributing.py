"""CONTRIBUTING: the files, functions, tables and commands that it names exist."""

import ast
import glob
import re
from collections.abc import Iterator

from every import every
from pages import CONTRIBUTING, ROOT

TEXT = CONTRIBUTING.read_text("utf-8")
NAMED = re.findall(r"\[`(\w+)`\]\(\.\./(scorch2/[\w/]+\.py)\)", TEXT)
"""Names in code letters that lead to the file where they are defined."""
CAMPAIGNS = sorted(set(re.findall(r"python (tests/campaigns/\w+\.py)", TEXT)))


def defined_in(path: str) -> Iterator[str]:
    """Yield what the top level of a file defines."""
    for node in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


@every(("name", "path"), NAMED)
def test_every_named_function_and_table_is_where_the_page_says(name: str, path: str) -> None:
    assert name in set(defined_in(path)), "CONTRIBUTING names it: say there where it is now"


def test_every_path_exists() -> None:
    paths = re.findall(r"(?<![\w/<])((?:tests|fixtures|scorch2)/[\w/.<>*-]+)", TEXT)
    assert paths
    for path in paths:
        assert glob.glob(str(ROOT / re.sub(r"<\w+>", "*", path))), f"CONTRIBUTING names {path}"


def test_the_tree_shows_every_folder_of_the_package() -> None:
    tree = TEXT.partition("```\nscorch2/\n")[2].partition("```")[0]
    shown = set(re.findall(r"^  (\w+)/", tree, re.MULTILINE))
    there = {path.parent.name for path in (ROOT / "scorch2").glob("*/__init__.py")}
    assert shown == there, "the tree in CONTRIBUTING shows other folders"


def test_every_campaign_is_listed() -> None:
    commands = [
        path for path in (ROOT / "tests" / "campaigns").glob("*.py") if "__main__" in path.read_text("utf-8")
    ]
    assert sorted(path.relative_to(ROOT).as_posix() for path in commands) == CAMPAIGNS


@every("path", [*CAMPAIGNS, "tests/benchmarks/run.py"])
def test_the_options_of_the_commands_are_known(path: str) -> None:
    source = (ROOT / path).read_text("utf-8")
    if "import fuzzing" in source:  # the options that such campaigns share
        source += (ROOT / "tests" / "campaigns" / "fuzzing.py").read_text("utf-8")
        source = source.replace('f"--{kind}"', '"--format", "--reader"')
    for words in re.findall(rf"python {re.escape(path)}([^`\n]*)", TEXT):
        for option in re.findall(r"--\w+", words):
            assert f'"{option}"' in source, f"CONTRIBUTING calls {path} with {option}"
