#!/usr/bin/env bash
# The least time that a night takes if nothing is stored: the indispensable work with the fastest libraries (floor.cpp),
# compared with the product and DuckDB on the same files, in turn. Medians, and ratios to DuckDB.
# usage: Benchmarks/floor.sh [ORDERS] [TURNS] [PROGRAM]     1000000, 5, .build/release/reconcile
# Needs Debian's g++, libsimdjson-dev, time and sqlite3, and Benchmarks/peers/install.
set -euo pipefail
orders=${1:-1000000}
turns=${2:-5}
program=${3:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator
need_peers

g++ -O3 -march=native -std=c++20 "$benchmarks/floor.cpp" -o floor -lsimdjson -lcrypto -lxlsxwriter -lz -pthread
generate "$orders" night
for ((turn = 0; turn < turns; turn++)); do
    rm -rf preview
    measure ours "$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet \
        --dry-run --preview preview
    ./floor night/inbox 2025-11-18 preview | awk '{ print $1 + $2 }' >>floor.runs
    measure duckdb "$python" "$peers/peer_duckdb.py" night duckdb
done
counts preview >ours.out
for who in ours duckdb; do same_counts night "$who" "$who.out"; done
printf '%s\n' "$(machine)"
printf '%s orders, nothing kept: DuckDB %s s; ours %s s; floor %s s\n' "$orders" \
    "$(median duckdb.runs)" "$(median ours.runs)" "$(median floor.runs)"
awk -v ours="$(median ours.runs)" -v floor="$(median floor.runs)" -v duckdb="$(median duckdb.runs)" \
    'BEGIN { printf "of DuckDB: ours %.2f, floor %.2f\n", ours / duckdb, floor / duckdb }'
