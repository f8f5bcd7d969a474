"""The short help, for a command line without any word."""

from scorch2.cli import usage
from scorch2.model.options import OPTIONS, PROFILES
from scorch2.reports import REPORTS

TEXT = "\n".join(
    [
        "Score coreference output against gold.",
        "",
        "Usage:",
        "  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]",
        "",
        "Options needed most:",
        usage.lines("-m, --metric=<name>", "metrics, separated by commas, or all"),
        usage.lines("-f, --format=<name>", f"form of the report: {usage.names(REPORTS, 'default')}"),
        usage.lines("--average=<how>", f"{usage.names(OPTIONS['average'].values)}: how to average documents"),
        usage.lines("--profile=<name>", f"{usage.names(PROFILES)}: the numbers of that scorer"),
        usage.lines("--confidence=<percent>", "add bootstrap confidence intervals"),
        usage.lines("--fail-under=<spec>", "exit status 1 if a score is lower, conll=0.75 for example"),
        usage.lines("-j, --jobs=<n>", "number of worker processes"),
        "",
        usage.lines("scorch2 --help", "all options, all commands"),
        usage.lines("scorch2 help <command>", "conll, gate, convert, evaluate and more, one by one"),
    ]
)
