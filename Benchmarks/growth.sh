#!/usr/bin/env bash
# What a night costs as the work grows: all in one run, and the same small night into ledgers of each size. As Markdown.
# usage: Benchmarks/growth.sh BENCH_FOLDER [SIZES] [DATA_FOLDER] [PROGRAM]     "100000 1000000 10000000", none, .build/release/reconcile
# BENCH_FOLDER holds generate.py (Python packages: see its README). In DATA_FOLDER the nights' files are kept for another time:
# those of 10 M are 11 GB, and take minutes to make. Beside them 10 M need 20 GB of disk. Needs Debian's package time.
# SETTLED=1: the large nights have no problem that stays open, as the history of a shop has whose people close them; else 3 %
# of 10 M orders, 300 000 exceptions, are open, and each further night lists them all.
set -euo pipefail
usage='usage: Benchmarks/growth.sh BENCH_FOLDER [SIZES] [DATA_FOLDER] [PROGRAM]'
bench=${1:?$usage}
sizes=${2:-100000 1000000 10000000}
data=${3:+$(cd "$3" && pwd)}
program=${4:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
small=100000
kind=
cp "$bench/generate.py" generate.py
if [ -n "${SETTLED:-}" ]; then
    kind=-settled
    sed -i 's/^u=r.random(N)$/u=.03+.97*r.random(N)/' generate.py
    ! cmp -s "$bench/generate.py" generate.py || { echo "growth: the generator's problems cannot be left out" >&2; exit 1; }
fi

files() { # SIZE DATE SEED KIND: makes the night's files where they are not there yet, and says where they are
    local night=${data:-$work}/$1-$2$4 file generator=generate.py
    [ -n "$4" ] || generator=$bench/generate.py
    if [ ! -d "$night" ]; then
        rm -rf "$night.new"
        python3 "$generator" "$1" "$night.new" "$3" >/dev/null
        for file in "$night.new"/inbox/*; do
            [ "$file" = "${file/2025-11-18/$2}" ] || mv "$file" "${file/2025-11-18/$2}"
        done
        mv "$night.new" "$night"
    fi
    printf '%s' "$night"
}

run() { # WHAT FOLDER DATE NOW: one night into the ledger, and its line of the table
    rm -f run.runs
    sync  # what the run before left to be written is not this one's
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
more=$(files "$small" 2025-11-19 8 "")
for size in $sizes; do
    rm -rf ledger.sqlite* out
    night=$(files "$size" 2025-11-18 7 "$kind")
    run "$size, all in one run" "$night" 2025-11-18 2025-11-20T00:00:00Z
    if [ -z "$data" ]; then rm -rf "$night"; fi
    run "$small, into a ledger of $size" "$more" 2025-11-19 2025-11-21T00:00:00Z
done
