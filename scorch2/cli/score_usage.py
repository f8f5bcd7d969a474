"""The usage text of `score`, which a run without options does not need."""

from scorch2.analysis.table import DIMENSIONS, TYPES_HOW
from scorch2.cli import usage
from scorch2.formats import COMPRESSED
from scorch2.model.forms import PAPERS, forms_of
from scorch2.scoring.metrics import DEFAULT, METRICS

_INPUTS = (
    "files or folders, whose files pair by path, or - for standard input on one side; formats are detected "
    f"(scorch2 help formats), also in {', '.join(COMPRESSED)}"
)
_OTHERS = ", ".join(name for name in METRICS if name not in DEFAULT)
_METRICS = f"{', '.join(DEFAULT)} (these are the default), {_OTHERS}, or all (those about clusters)"
USAGE = f"""Score coreference output against gold: MUC, B³, CEAF_m, CEAF_e, BLANC, LEA, CoNLL average.

Usage:
  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]

{usage.option_lines("<gold> <sys>", _INPUTS, 16)}
  <out-file>    where the report goes; standard output if absent or -: on a terminal as a table

Report:
{usage.option_lines("-m, --metric=<name>", f"metrics, separated by commas (repeatable): {_METRICS}")}
{usage.REPORT_USAGE}  --no-hashes               leave the SHA-256 of documents out of JSON
{usage.BY_USAGE}
{usage.TYPES_USAGE}
{usage.CONFIDENCE_USAGE}{usage.resample_option()}

{usage.SCORING_USAGE}

{usage.GATE_USAGE}
Speed:
{usage.WORKER_USAGE}

Other:
  -q, --quiet               no warnings, no progress bar
  -v, --verbose             say what was read, how mentions matched, and what was copied
{usage.other_options(version=True)}

{usage.exit_statuses("0 done, 1 a gate failed, 2 error")}
"""
CHOICES = {"--format": forms_of("scores"), "--latex": PAPERS, "--by": DIMENSIONS, "--types": TYPES_HOW}
