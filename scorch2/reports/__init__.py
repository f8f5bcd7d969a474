"""Values to text: the renderers of all forms of report. The table of forms is `scorch2.model.forms.FORMS`.

| module | what it renders |
| :--- | :--- |
| `text` | scores as plain lines for scripts |
| `rows` | scores as cells, and as tables for reading, papers and spreadsheets |
| `json` | every value as JSON, scores as JSON lines |
| `ci` | scores for GitHub, JUnit and OpenMetrics |
| `errors` | the analysis of errors |
| `systems` | systems side by side |
| `agreement`, `resampling`, `audit` | annotators, intervals, leaderboards and settings |
| `page`, `figures` | scores, errors and texts in one HTML file; figures for papers |

A renderer of scores takes the report and the documents that have rows; all others take their value alone.
"""
