"""Run a command and print its CPU seconds (user + system), its peak memory in KiB, and its exit status.

    python -I -S tests/benchmarks/meter.py COMMAND...

A process of its own, and a small one: a child's peak begins with the memory of the process that started it.
"""

import os
import sys


def main() -> None:
    silence = [(os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)]
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silence)
    _, status, used = os.wait4(child, 0)
    peak = used.ru_maxrss // 1024 if sys.platform == "darwin" else used.ru_maxrss
    print(used.ru_utime + used.ru_stime, peak, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
