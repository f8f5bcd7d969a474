"""The command line, from its first moment to its exit status: 0 done, 2 error, 128 + signal if one ended it.

Everything else is imported inside `main`, so that an interrupt ends quietly even during the imports.
"""

import gc
import sys

TYPE_CHECKING = False  # as in typing, whose import takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNALLED = 128  # what is added to the number of a signal that ends a run


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run the command that `argv` names and return its exit status."""
    gc.disable()  # a run makes no cycles worth collecting, and parsing many documents is twice as fast
    try:
        from scorch2.cli.console import flushed
        from scorch2.cli.dispatch import run, signals_as_interrupts

        with signals_as_interrupts():
            return flushed(run(list(sys.argv[1:] if argv is None else argv)))
    except KeyboardInterrupt as interrupt:
        from scorch2.cli import console
        from scorch2.cli.dispatch import ending_in_words, signal_number

        number = signal_number(interrupt)
        console.say(f"scorch2: {ending_in_words(number)}")
        console.flushed(SIGNALLED + number)  # whatever they say, a signal ended the run
        return SIGNALLED + number
    finally:
        gc.freeze()  # Python collects once more as it ends: 5 % of a run over one small document


def conll2json() -> int:
    """Run the script of that name."""
    return main(["conll2json", *sys.argv[1:]])
