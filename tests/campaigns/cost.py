"""Cost of input: peak memory and CPU time per byte for each reader, at two sizes, as a table.

Tiny documents, one large document and hostile shapes (costly_shapes.py, costly_mentions.py) are scored, gold
against a copy of itself or against a system that is hard to match, each in a process of its own. Over the
bounds is a row that takes more than 150 MB and 20 bytes of memory per byte of input, or whose CPU time per
byte grows more than 2.5 times from a quarter of the input to the whole. What an empty run takes is
subtracted. An input may be refused, but that must be cheap, too.

    python tests/campaigns/cost.py [--only=conll] [--scale=1] [--markdown=FILE]

Ends with 1 if a row is over.
"""

import argparse
import fnmatch
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from costly_shapes import MEGABYTE, SHAPES, Shape

ROOT = Path(__file__).parent.parent.parent
METER = ROOT / "tests" / "benchmarks" / "meter.py"
STEP = 4
"""The larger input is so many times the smaller one: doubled twice."""
MOST_GROWTH = 2.5
"""Of CPU per byte over a step; quadratic work gives 4."""
BYTES, BASE = 20, 150 * MEGABYTE
"""Promise R8: memory per byte of input, and besides."""
LEAST = 0.15
"""Seconds of CPU above the start below which growth is not judged: it is noise."""
PATIENCE = 60
"""Seconds of CPU after which a run is ended."""
SPACE = 4_000 * MEGABYTE
"""Memory that a run may take before the system refuses it more."""
HEADS = ("reader", "shape", "MB", "status", "peak MB", "allowed", "ns/byte", "at ¼", "growth", "verdict")


class Cost(NamedTuple):
    """The costs of one run."""

    size: int
    """Bytes of input."""
    seconds: float
    """CPU, without the start."""
    peak: int
    """Bytes."""
    status: int

    @property
    def rate(self) -> float:
        """CPU per byte, in nanoseconds."""
        return 1e9 * self.seconds / self.size


def main() -> int:
    given = _arguments()
    chosen = [shape for shape in SHAPES if fnmatch.fnmatch(f"{shape.reader}: {shape.name}", given.only)]
    rows: list[Sequence[str]] = []
    with tempfile.TemporaryDirectory(prefix="scorch2-cost-") as folder:
        start = _start(Path(folder))
        for shape in chosen:
            size = int(shape.size * given.scale)
            costs = [_run(shape, size // STEP, Path(folder), start)]
            if costs[0].seconds < PATIENCE / STEP:
                costs.append(_run(shape, size, Path(folder), start))
            rows.append(_row(shape, costs))
            print(f"{' | '.join(rows[-1])}", file=sys.stderr, flush=True)
    table = "\n".join(f"| {' | '.join(row)} |" for row in (HEADS, ["---"] * len(HEADS), *rows)) + "\n"
    print(table, end="")
    if given.markdown:
        Path(given.markdown).write_text(table, encoding="utf-8")
    over = sum(row[-1] != "OK" for row in rows)
    print(f"cost: {over} of {len(rows)} rows over the bounds; an empty run takes {start:.3f} s")
    return 1 if over else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="*", help="pattern of rows, such as 'conll: *'")
    parser.add_argument("--scale", type=float, default=1, help="of the sizes (default: 1)")
    parser.add_argument("--markdown", metavar="FILE", help="where the table goes besides standard output")
    return parser.parse_args()


def _start(folder: Path) -> float:
    """Return the CPU seconds of a run on next to nothing."""
    path = folder / "start.json"
    path.write_text('{"type": "clusters", "clusters": {"a": ["m", "n"]}}', encoding="utf-8")
    return median(_measured(["score", str(path), str(path)], 1, 0).seconds for _ in range(7))


def _run(shape: Shape, size: int, folder: Path, start: float) -> Cost:
    """Write a shape, both sides together `size` bytes, and run its command on it."""
    place = folder / "input"
    place.mkdir()
    try:
        paths = {side: place / side for side in ("gold", "sys") if f"{{{side}}}" in shape.words}
        for side, path in paths.items():
            make = shape.make_system if side == "sys" and shape.make_system else shape.make
            _write(shape, make(size // len(paths)), path)
        read = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        return _measured([word.format(out=place / "out", **paths) for word in shape.words], read, start)
    finally:
        shutil.rmtree(place)


def _write(shape: Shape, parts: Iterable[str], path: Path) -> None:
    if shape.is_folder:
        path.mkdir()
        for number, part in enumerate(parts):
            (path / f"{number:07}").write_text(part, encoding="utf-8")
    elif shape.is_packed:
        with gzip.open(path, "wt", encoding="utf-8", newline="\n") as packed:
            packed.writelines(parts)
    else:
        with path.open("w", encoding="utf-8", newline="\n") as plain:
            plain.writelines(parts)


def _measured(words: Sequence[str], size: int, start: float) -> Cost:
    command = [sys.executable, "-I", "-S", str(METER), sys.executable, "-m", "scorch2", *words]
    done = subprocess.run(
        command,
        check=True,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=_environment(),
        preexec_fn=_limit,
    )
    seconds, _, peak, status = done.stdout.split()
    return Cost(size, max(float(seconds) - start, 0), int(peak) * 1024, int(status))


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))


def _row(shape: Shape, costs: Sequence[Cost]) -> Sequence[str]:
    small, large = costs[0], costs[-1]
    allowed = BYTES * large.size + BASE
    growth = (large.rate / small.rate) if small.seconds > 0 else 1.0
    wrong = [
        *(f"ended by signal {-cost.status}" for cost in costs if cost.status < 0),
        *(["too slow for the larger input"] if len(costs) == 1 and small.status >= 0 else []),
        *(["memory"] if large.peak > allowed else []),
        *(["growth"] if large.seconds > LEAST and growth > MOST_GROWTH else []),
    ]
    return (
        shape.reader,
        shape.name,
        f"{large.size / MEGABYTE:.1f}",
        str(large.status),
        f"{large.peak / MEGABYTE:.0f}",
        f"{allowed / MEGABYTE:.0f}",
        f"{large.rate:.0f}",
        f"{small.rate:.0f}",
        f"{growth:.2f}",
        f"**{', '.join(wrong)}**" if wrong else "OK",
    )


if __name__ == "__main__":
    sys.exit(main())
