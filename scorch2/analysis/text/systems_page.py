"""A comparison of systems as HTML: a table for notebooks, and a page that needs nothing but itself."""

from scorch2.analysis.systems import Column, Comparison, SystemRow
from scorch2.model.escaping import html_text
from scorch2.reports.page.frame import content_policy

TITLE = "Systems side by side"
STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
.box { overflow-x: auto; }
table { border-collapse: collapse; border-block: 2px solid; }
th, td { padding: .3rem .8rem; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
th:first-child { text-align: start; }
td { position: relative; }
sup { position: absolute; line-height: 1; }
thead { border-bottom: 1px solid; }
footer { margin-block-start: 1rem; overflow-wrap: anywhere; }
"""


def page(compared: Comparison, caption: str) -> str:
    """Return a whole page: no script, and a policy that lets nothing in but its style."""
    made = (
        f"<footer><code>{html_text(compared.signature())}</code></footer>\n"
        if compared.shows_signature
        else ""
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{content_policy(STYLE)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{TITLE}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{TITLE}</h1>
<p>{html_text(caption)}</p>
<div class="box" role="region" aria-label="{TITLE}" tabindex="0">
{table(compared)}
</div>
</main>
{made}</body>
</html>
"""


def table(compared: Comparison) -> str:
    """Return the table as one element: the best of each column strong, significant differences marked."""
    labels = ("system", *(column.label for column in compared.columns))
    head = "".join(f'<th scope="col">{html_text(label)}</th>' for label in labels)
    rows = "\n".join(_row(compared, system) for system in compared.systems)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _row(compared: Comparison, system: SystemRow) -> str:
    cells = "".join(f"<td>{_cell(compared, system, column)}</td>" for column in compared.columns)
    return f'<tr><th scope="row"><bdi>{html_text(system.name)}</bdi></th>{cells}</tr>'


def _cell(compared: Comparison, system: SystemRow, column: Column) -> str:
    number = html_text(compared.shown(system, column))
    strong = f"<strong>{number}</strong>" if compared.is_best(system, column) else number
    return f"{strong}<sup>†</sup>" if compared.is_significant(system, column) else strong
