"""Run a command and print its CPU and wall seconds, its peak memory in KiB, and its exit status.

    python -I -S tests/benchmarks/meter.py COMMAND...

CPU is user and system time, with that of processes it waited for; the peak is that of the largest one. A
process of its own, and a small one: a child's peak begins with the memory of the process that started it.
"""

import os
import sys
import time


def main() -> None:
    silence = [(os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)]
    start = time.perf_counter()
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silence)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - start
    peak = used.ru_maxrss // 1024 if sys.platform == "darwin" else used.ru_maxrss
    print(used.ru_utime + used.ru_stime, wall, peak, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
