#!/usr/bin/env bash
# A night beside what would be run instead: the same files, read, joined, judged and reported; with nothing kept, and kept.
# usage: Benchmarks/nights.sh BENCH_FOLDER [SIZES] [TURNS] [PROGRAM]     "100000 1000000", 5, .build/release/reconcile
# BENCH_FOLDER holds generate.py and peer_duckdb.py (Python packages: see its README). Runs alternate, so that a busy
# machine slows all alike; medians are compared, and the counts class for class. Needs Debian's package time.
set -euo pipefail
usage='usage: Benchmarks/nights.sh BENCH_FOLDER [SIZES] [TURNS] [PROGRAM]'
bench=${1:?$usage}
sizes=${2:-100000 1000000}
turns=${3:-5}
program=${4:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"

median() { # FILE COLUMN
    sort -g -k "$2,$2" "$1" | awk -v column="$2" '{ value[NR] = $column } END { print value[int((NR + 1) / 2)] }'
}

ours=("$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet)

run() { # WHO-WHAT
    case $1 in
    ours-look) measure "$1" "${ours[@]}" --dry-run --preview preview ;;
    ours-keep) measure "$1" "${ours[@]}" ;;
    duck-look) measure "$1" python3 "$bench/peer_duckdb.py" night duck ;;
    duck-keep) measure "$1" python3 "$bench/peer_duckdb.py" night duck duck.db ;;
    esac
}

counts() { # verdicts of our exceptions, under the peer's names
    tail -n +2 preview/exceptions.csv | cut -d, -f3 | sort | uniq -c |
        awk '$2 != "order_unverified" { sub("value_mismatch", "amount_mismatch"); print $2, $1 }' | sort
}

printf '%s; DuckDB %s\n' "$(machine)" "$(python3 -c 'import duckdb; print(duckdb.__version__)')"
printf '%-10s %-28s %9s %9s %7s %9s %9s %7s\n' orders what 'ours s' 'DuckDB s' ratio 'ours MiB' 'DuckDB' ratio
for size in $sizes; do
    rm -rf night ./*.runs
    python3 "$bench/generate.py" "$size" night >/dev/null
    for ((turn = 0; turn < turns; turn++)); do
        rm -rf preview out night/ledger* night/out duck.db
        # Each goes first in every other turn: who follows upon the removal of large files is given its pages more slowly.
        order="ours duck" && [ $((turn % 2)) = 0 ] || order="duck ours"
        for what in look keep; do for who in $order; do run "$who-$what"; done; done
    done
    tr -d '{}" ' <duck-look.out | tr ',' '\n' | tr ':' ' ' | grep -v '^ok ' | sort >duck.counts
    counts | diff - duck.counts >&2 || { echo "the counts differ" >&2; exit 1; }
    for what in look keep; do
        awk -v size="$size" -v what="$([ $what = look ] && echo 'nothing kept' || echo 'all kept')" \
            -v a="$(median "ours-$what.runs" 1)" -v b="$(median "duck-$what.runs" 1)" \
            -v c="$(median "ours-$what.runs" 2)" -v d="$(median "duck-$what.runs" 2)" 'BEGIN {
                printf "%-10s %-28s %9.2f %9.2f %7.2f %9d %9d %7.2f\n",
                    size, what, a, b, a / b, c / 1024, d / 1024, c / d }'
    done
done
