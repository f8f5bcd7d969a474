"""The rules that a file of CorefUD or of the exploded format breaks, as ``scorch2 validate`` tells them."""

from pathlib import Path

import pytest

from scorch2.cli.main import main


def places_of_problems(name: str, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the place in every line that the command prints with --strict, and check its end."""
    path = Path(name)
    path.write_text(text, "utf-8")
    status = main(["validate", "--strict", name])
    out, err = capsys.readouterr()
    found = [line.partition(f"{name}: ")[2].partition(":")[0] for line in out.splitlines()]
    assert (status, err) == ((1, f"scorch2: {len(found)} problems in 1 file\n") if found else (0, ""))
    return found
