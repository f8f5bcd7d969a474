"""The least that any scorer must do: read both sides. The unit that other programs are measured in.

    python tests/benchmarks/floor.py GOLD SYS

Folders: open each JSON file as text, parse it, and keep the two values of a pair until the pair is done.
Files: go through the lines of both. The garbage collector stays on.
"""

import json
import os
import sys


def main() -> None:
    gold, system = sys.argv[1:]
    if os.path.isdir(gold):
        for name in sorted(os.listdir(gold)):
            with open(os.path.join(gold, name), encoding="utf-8") as stream:
                left = json.load(stream)
            with open(os.path.join(system, name), encoding="utf-8") as stream:
                right = json.load(stream)
            del left, right
    else:
        for path in (gold, system):
            with open(path, encoding="utf-8") as stream:
                for _ in stream:
                    pass


if __name__ == "__main__":
    main()
