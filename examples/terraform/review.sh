#!/bin/sh
# What does this plan cost? In a real pipeline the file comes from:
#   terraform plan -out plan.bin && terraform show -json plan.bin > plan.json
# Exit code 3 means that the plan raises the bill by more than the limit.
set -eu
cheapside review "$(dirname "$0")/plan.json" --format markdown --max-increase "${MAX_INCREASE:-500}"
