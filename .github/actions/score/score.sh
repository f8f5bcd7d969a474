#!/usr/bin/env bash
# Score, judge, and leave report.json, report.md and report.xml in a folder. The exit status is that of scorch2.
# Reads SCORCH2_GOLD, SCORCH2_SYSTEM, SCORCH2_OPTIONS (one a line), SCORCH2_BASELINE, SCORCH2_REPORTS.
set -uo pipefail

reports=${SCORCH2_REPORTS:-scorch2-reports}
words=(
  "--report=json:$reports/report.json"
  "--report=markdown:$reports/report.md"
  "--report=junit:$reports/report.xml"
  "--report=github"
)
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  words+=("--report=github:$GITHUB_STEP_SUMMARY")
fi
while IFS= read -r line; do
  line=${line%$'\r'}
  if [ -n "${line// /}" ]; then
    words+=("$line")
  fi
done <<< "${SCORCH2_OPTIONS:-}"
if [ -n "${SCORCH2_BASELINE:-}" ]; then
  words+=("--baseline=$SCORCH2_BASELINE")
  if [ ! -e "$SCORCH2_BASELINE" ]; then # the first run makes it
    words+=(--update-baseline)
  fi
fi

mkdir -p "$reports" "$(dirname "${SCORCH2_BASELINE:-.}")"
rm -f "$reports"/report.{json,md,xml}
scorch2 "${words[@]}" -- "$SCORCH2_GOLD" "$SCORCH2_SYSTEM"
status=$?
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  echo "passed=$([ $status -eq 0 ] && echo true || echo false)" >> "$GITHUB_OUTPUT"
  if [ -e "$reports/report.md" ]; then
    echo "markdown=$reports/report.md" >> "$GITHUB_OUTPUT"
  fi
fi
exit $status
