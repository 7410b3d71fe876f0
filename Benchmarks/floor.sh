#!/usr/bin/env bash
# How long a night with nothing kept takes at least: what it cannot do without by the fastest libraries (floor.cpp), beside
# the product and DuckDB on the same files, in turn. Medians, and ratios to DuckDB.
# usage: Benchmarks/floor.sh BENCH_FOLDER [ORDERS] [TURNS] [PROGRAM]     1000000, 5, .build/release/reconcile
# Needs Debian's g++, libsimdjson-dev and time besides what nights.sh needs.
set -euo pipefail
bench=${1:?usage: Benchmarks/floor.sh BENCH_FOLDER [ORDERS] [TURNS] [PROGRAM]}
orders=${2:-1000000}
turns=${3:-5}
program=${4:-}
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/floor.cpp")
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"

g++ -O3 -march=native -std=c++20 "$source" -o floor -lsimdjson -lcrypto -lxlsxwriter -lz -pthread
python3 "$bench/generate.py" "$orders" night >/dev/null
for ((turn = 0; turn < turns; turn++)); do
    rm -rf preview
    measure ours "$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet \
        --dry-run --preview preview
    ./floor night/inbox 2025-11-18 preview | awk '{ print $1 + $2 }' >>floor.runs
    measure duck python3 "$bench/peer_duckdb.py" night duck
done
median() { sort -g "$1.runs" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
printf '%s\n' "$(machine)"
printf '%s orders, nothing kept: DuckDB %s s; ours %s s; floor %s s\n' "$orders" "$(median duck)" "$(median ours)" "$(median floor)"
awk -v ours="$(median ours)" -v floor="$(median floor)" -v duck="$(median duck)" \
    'BEGIN { printf "of DuckDB: ours %.2f, floor %.2f\n", ours / duck, floor / duck }'
