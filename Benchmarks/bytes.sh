#!/usr/bin/env bash
# What a ledger takes, by table: bytes for each purchase with its order, credit and receipt, and how full the pages are.
# Nothing is open in the ledger, as in the history of a shop that closes its exceptions.
# usage: Benchmarks/bytes.sh [PURCHASES] [PROGRAM]     200000, .build/release/reconcile
# Needs Debian's time and sqlite3.
set -euo pipefail
purchases=${1:-200000}
program=${2:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator

generate "$purchases" night --settled
measure run "$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet
printf '%s. %s purchases.\n' "$(machine)" "$purchases"
sqlite3 -readonly -header -column -cmd '.width 24 14 10 8' night/ledger.sqlite "
    WITH part AS (SELECT name, sum(pgsize) AS bytes, sum(payload) AS payload FROM dbstat GROUP BY name
        UNION ALL SELECT 'all', sum(pgsize), sum(payload) FROM dbstat)
    SELECT name, printf('%.1f', 1.0 * bytes / $purchases) AS \"bytes each\", bytes, printf('%d %%', 100 * payload / bytes) AS used
    FROM part WHERE bytes >= $purchases ORDER BY part.bytes DESC"
