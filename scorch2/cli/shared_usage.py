"""Parts of help texts that stand alike in several commands that score."""

from scorch2.cli import input_options, usage, worker_options

SCORING = f"""\
Scoring (the first value is the default):
{usage.scoring_options()}
{usage.profile_option("the numbers of that scorer (a typed option wins)")}
{input_options.USAGE}"""
RUNNING = f"""\
Speed:
{worker_options.USAGE}

Other:
  -q, --quiet               no warnings, no progress bar
  --debug                   show where an error came from
  -h, --help                show this text"""
