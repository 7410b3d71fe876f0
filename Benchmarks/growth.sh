#!/usr/bin/env bash
# What a night costs as the work grows: everything in one run, and the same small night on ledgers of each size. Prints
# Markdown.
# usage: Benchmarks/growth.sh [SIZES] [DATA_FOLDER] [PROGRAM]     "100000 1000000 10000000", none, .build/release/reconcile
# DATA_FOLDER keeps the nights' files for later runs: 11 GB for 10 M. In addition, 10 M need 20 GB of disk. SETTLED=1: in
# the large nights, no problem stays open, as in the history of a shop that closes its exceptions. Otherwise, 3 % of 10 M
# orders (300 000 exceptions) are open, and each further night lists them all.
# Needs Debian's time and sqlite3.
set -euo pipefail
sizes=${1:-100000 1000000 10000000}
data=${2:+$(cd "$2" && pwd)}
program=${3:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator
small=100000

files() { # NAME PURCHASES [OPTION...]: makes the night's files where they are missing, and prints where they are
    local night=${data:-$work}/$1 purchases=$2
    shift 2
    if [ ! -d "$night" ]; then
        rm -rf "$night.new"
        generate "$purchases" "$night.new" "$@"
        mv "$night.new" "$night"
    fi
    printf '%s' "$night"
}

run() { # WHAT FOLDER DATE NOW: one night into the ledger, and its line of the table
    rm -f run.runs
    measure run "$program" nightly --config "$2/reconcile.json" --date "$3" --as-of "$4" \
        --ledger "$work/ledger.sqlite" --output "$work/out" --verbose
    local longest
    longest=$(sed -n 's/^\([a-z-]*\): \([0-9.]*\) s, .* of processor.*/\2 \1/p' run.err | sort -gr | head -n 3 |
        awk '{ printf "%s%s %.1f", (NR > 1 ? ", " : ""), $2, $1 }')
    awk -v what="$1" -v ledger="$(stat -c %s ledger.sqlite)" -v longest="$longest" \
        '{ printf "| %s | %.1f | %.0f | %.0f | %s |\n", what, $1, $2 / 1024, ledger / 1e6, longest }' run.runs
}

printf '%s. %s. One run each.\n\n' "$(date -u '+%F %H:%M UTC')" "$(machine)"
printf '| a night of | s | MiB | ledger MB | longest stages, s |\n|---|---|---|---|---|\n'
more=$(files "$small-2025-11-19" "$small" --date 2025-11-19 --seed 8)
for size in $sizes; do
    rm -rf ledger.sqlite* out
    night=$(files "$size-2025-11-18${SETTLED:+-settled}" "$size" ${SETTLED:+--settled})
    run "$size, all in one run" "$night" 2025-11-18 2025-11-20T00:00:00Z
    [ -n "${SETTLED:-}" ] || { counts out/latest >counts && same_counts "$night" ours counts; }
    if [ -z "$data" ]; then rm -rf "$night"; fi
    run "$small, into a ledger of $size" "$more" 2025-11-19 2025-11-21T00:00:00Z
done
