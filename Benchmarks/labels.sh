#!/usr/bin/env bash
# What four labels of orders cost: time of a night in turn with and without them in the configuration, of the same files, with
# nothing kept, and the bytes that they add to a settled ledger for each purchase.
# usage: Benchmarks/labels.sh [PURCHASES] [TURNS] [PROGRAM]     1000000, 5, .build/release/reconcile
# Needs Debian's time.
set -euo pipefail
purchases=${1:-1000000} turns=${2:-5}
program=${3:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator

folder() { # OPTION...: a night, with a second configuration without labels
    rm -rf night
    generate "$purchases" night --labels "$@"
    sed 's/, labels: {[^}]*}//' night/reconcile.json >night/without.json
}
folder
declare -A file=([with]=reconcile.json [without]=without.json) ledger
night() { "$program" nightly --config "night/${file[$1]}" --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet "${@:2}"; }
for ((turn = 0; turn < turns; turn++)); do
    for name in without with; do
        measure "$name" "$program" nightly --config "night/${file[$name]}" --date 2025-11-18 --as-of 2025-11-20T00:00:00Z \
            --quiet --dry-run --preview preview
        rm -rf preview
    done
done
folder --settled
for name in without with; do
    night "$name" --new-ledger || [ $? -eq 3 ]
    ledger[$name]=$(stat -c %s night/ledger.sqlite)
    rm -r night/ledger.sqlite* night/out
done
printf '%s. %s purchases.\n' "$(machine)" "$purchases"
awk -v with="$(median with.runs)" -v without="$(median without.runs)" -v more=$((ledger[with] - ledger[without])) -v each="$purchases" \
    'BEGIN { printf "four labels: %s s, without %s s: %.3f; %.1f bytes a purchase\n", with, without, with / without, more / each }'
