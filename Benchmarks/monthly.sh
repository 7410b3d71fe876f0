#!/usr/bin/env bash
# Time and memory of a month whose purchases are in the ledger. Required: 3 M in 30 s and 1 GiB.
# usage: Benchmarks/monthly.sh [PURCHASES] [PROGRAM]     3000000 of them, .build/release/reconcile
# The purchases are of 30 days from 2025-10-10 on. One night makes the ledger; the median of three months is printed.
# Needs Debian's time.
set -euo pipefail
count=${1:-3000000}
program=${2:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator

generate "$count" night
measure night "$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet
rm -rf night/inbox
stat -c %s night/ledger.sqlite | awk '{ printf "ledger of %.1f GB\n", $1 / 1e9 }'

for turn in 1 2 3; do
    # 3, because the records begin within the month.
    /usr/bin/time -f '%e %M %U %S' "$program" monthly 2025-10 --config night/reconcile.json >month.out 2>month.time || [ $? = 3 ]
    tail -n 1 month.time >>month.times
done
cat month.out
awk '{ print $1, $2 / 1024, $3 + $4 }' month.times >months
sort -g -k 2,2 months | tail -n 1 | awk '{ printf "peak memory %d MiB\n", $2 }'
printf '%.1f s of processors\n' "$(median months 3)"
printf 'a month of a ledger of %d purchases: %.1f s\n' "$count" "$(median months 1)"
