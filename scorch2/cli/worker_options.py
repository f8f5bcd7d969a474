"""The options of all commands that can score with several processes."""

from typing import Any

from scorch2.model.options import whole_value
from scorch2.workers import engine

USAGE = """\
  -j, --jobs=<n>            number of worker processes (default 1; 0 = one per CPU)
  --dask=<address>          score with the workers of the Dask scheduler at this address; local
                            starts a cluster on this machine, with certificates that only this run
                            knows. Anyone who can connect to a shared scheduler can run code as its
                            workers: use one inside a network you trust, or Dask's own TLS settings"""


def chosen_engine(given: dict[str, Any]) -> engine.Engine:
    """Return the function that scores two paths as the options of `USAGE` ask for.

    Raises
    ------
    UsageError
        If ``--jobs`` is not a whole number from 0.
    """
    jobs = None if given["--jobs"] is None else whole_value(given["--jobs"], "--jobs", 1, least=0)
    return engine.chosen(jobs, given["--dask"])
