#!/bin/sh
# What does this plan cost? In a real pipeline the file comes from:
#   terraform plan -out plan.bin && terraform show -json plan.bin > plan.json
# Exit code 3 means that the plan raises the bill by more than the limit.
set -eu
# The command is `cheapside` if it is installed, else the one of this clone; CHEAPSIDE names another.
here=$(dirname "$0")
if [ -z "${CHEAPSIDE:-}" ]; then
  CHEAPSIDE=$(command -v cheapside || echo "$here/../../bin/cheapside.js")
fi
"$CHEAPSIDE" review "$here/plan.json" --format markdown --max-increase "${MAX_INCREASE:-500}"
