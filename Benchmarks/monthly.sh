#!/usr/bin/env bash
# How long a month takes whose purchases lie in the ledger, and how much memory. Must be: 3 M in 30 s and 1 GiB.
# usage: Benchmarks/monthly.sh BENCH_FOLDER [PURCHASES] [PROGRAM]     3000000 of them, .build/release/reconcile
# BENCH_FOLDER holds generate.py (Python packages: see its README). Its purchases are of 30 days from 2025-10-09 on.
# The median of three runs is told; the ledger is made once, by one night.
set -euo pipefail
usage='usage: Benchmarks/monthly.sh BENCH_FOLDER [PURCHASES] [PROGRAM]'
bench=$(cd "${1:?$usage}" && pwd)
count=${2:-3000000}
program=$(realpath "${3:-$(dirname "${BASH_SOURCE[0]}")/../.build/release/reconcile}")
export SWIFT_BACKTRACE=enable=no

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$bench/generate.py" "$count" night >/dev/null
code=0
"$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet \
    >night.out 2>night.log || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat night.log >&2; exit 1; }
rm -rf night/inbox
ls -l night/ledger.sqlite | awk '{ printf "ledger of %.1f GB\n", $5 / 1e9 }'

for turn in 1 2 3; do
    /usr/bin/time -f '%e %M %U %S' "$program" monthly 2025-10 --config night/reconcile.json >month.out 2>month.time
    tail -n 1 month.time >>month.times
done
cat month.out
awk '{ print $2 }' month.times | sort -g | tail -n 1 | awk '{ printf "peak memory %d MiB\n", $1 / 1024 }'
awk '{ print $3 + $4 }' month.times | sort -g | awk '{ value[NR] = $1 } END { printf "%.1f s of processors\n", value[2] }'
awk '{ print $1 }' month.times | sort -g | awk -v n="$count" \
    '{ value[NR] = $1 } END { printf "a month of a ledger of %d purchases: %.1f s\n", n, value[int((NR + 1) / 2)] }'
