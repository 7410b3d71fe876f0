#!/usr/bin/env bash
# Compares a night with its alternatives: the same files are read, joined, judged and reported, with nothing stored and with
# everything stored.
# usage: Benchmarks/nights.sh [SIZES] [TURNS] [PROGRAM]     "100000 1000000", 5, .build/release/reconcile
# PEERS="duckdb polars sqlite" compares with these as well; duckdb is the default. polars only has "nothing kept".
# Runs alternate, so a busy machine slows down all of them equally. Medians are compared, and the counts of the six classes
# must agree.
# Needs Debian's time and sqlite3, and Benchmarks/peers/install.
set -euo pipefail
sizes=${1:-100000 1000000}
turns=${2:-5}
program=${3:-}
compared=${PEERS:-duckdb}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator
need_peers

ours=("$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet)

run() { # WHO-WHAT
    case $1 in
    ours-look) measure "$1" "${ours[@]}" --dry-run --preview preview ;;
    ours-keep) measure "$1" "${ours[@]}" ;;
    duckdb-look) measure "$1" "$python" "$peers/peer_duckdb.py" night duckdb ;;
    duckdb-keep) measure "$1" "$python" "$peers/peer_duckdb.py" night duckdb duckdb.db ;;
    polars-look) measure "$1" "$python" "$peers/peer_polars.py" night polars ;;
    polars-keep) ;;
    sqlite-look) measure "$1" "$peers/peer_sqlite.sh" night sqlite ;;
    sqlite-keep) measure "$1" "$peers/peer_sqlite.sh" night sqlite sqlite.db ;;
    *) echo "nights.sh: there is no peer ${1%-*}" >&2; exit 1 ;;
    esac
}

check_counts() {
    local file
    counts preview >ours-look.out
    counts night/out/latest >ours-keep.out
    for file in *-look.out *-keep.out; do same_counts night "${file%.out}" "$file"; done
}

row() { # SIZE WHO WHAT: ours beside a peer
    awk -v size="$1" -v peer="$2" -v what="$([ "$3" = look ] && echo 'nothing kept' || echo 'everything kept')" \
        -v a="$(median "ours-$3.runs" 1)" -v b="$(median "$2-$3.runs" 1)" \
        -v c="$(median "ours-$3.runs" 2)" -v d="$(median "$2-$3.runs" 2)" 'BEGIN {
            printf "%-10s %-16s %-8s %8.2f %8.2f %6.2f %9d %9d %6.2f\n", size, what, peer, a, b, a / b, c / 1024, d / 1024, c / d }'
}

printf '%s; DuckDB %s\n' "$(machine)" "$("$python" -c 'import duckdb; print(duckdb.__version__)')"
printf '%-10s %-16s %-8s %8s %8s %6s %9s %9s %6s\n' orders what peer 'ours s' 'peer s' ratio 'ours MiB' 'peer MiB' ratio
for size in $sizes; do
    rm -rf night ./*.runs ./*.out
    generate "$size" night
    for ((turn = 0; turn < turns; turn++)); do
        # The product runs first in every other turn, because a run right after the removal of large files gets its pages
        # more slowly.
        order="ours $compared" && [ $((turn % 2)) = 0 ] || order="$compared ours"
        rm -rf preview night/ledger* night/out duckdb.db sqlite.db
        for what in look keep; do for who in $order; do run "$who-$what"; done; done
    done
    check_counts
    for what in look keep; do
        for who in $compared; do [ ! -e "$who-$what.runs" ] || row "$size" "$who" "$what"; done
    done
done
