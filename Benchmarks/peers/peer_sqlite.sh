#!/usr/bin/env bash
# A night by the sqlite3 command line: join, classify, write findings.csv, print the counts. It writes no workbook.
# usage: peer_sqlite.sh NIGHT OUT [DATABASE]     DATABASE: keep every row in a new file, with the indexes of peer_duckdb.py
set -euo pipefail
usage='usage: peer_sqlite.sh NIGHT OUT [DATABASE]'
night=${1:?$usage}
out=${2:?$usage}
database=${3:-:memory:}
date=2025-11-18
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$out"

member() { # COLUMN MEMBER: a member of the line's object as a column
    printf "line ->> '%s' as %s" "$2" "$1"
}

index() { # TABLE COLUMN...
    local table=$1 column
    shift
    for column; do echo "create index ${table}_$column on $table ($column);"; done
}

{
    cat <<END
pragma journal_mode = off;
pragma synchronous = off;
pragma temp_store = memory;
pragma cache_size = -2000000;
create table orders (order_id text, account_id text, product_id text, amount_minor integer, currency text,
    app_account_token text, status text, created_at text);
create table credits (credit_id text, order_id text, transaction_id text, account_id text, quantity integer, kind text,
    credited_at text);
create temp table transaction_line (line text);
create temp table receipt_line (line text);
.mode csv
.import --skip 1 $night/inbox/orders-$date.csv orders
.import --skip 1 $night/inbox/credits-$date.csv credits
.mode ascii
.separator "\\037" "\\n"
.import --schema temp $night/inbox/transactions-$date.jsonl transaction_line
.import --schema temp $night/inbox/receipts-$date.jsonl receipt_line
create table transactions as select
    $(member transaction_id transactionId), $(member original_transaction_id originalTransactionId),
    $(member bundle_id bundleId), $(member product_id productId), $(member purchased_ms purchaseDate),
    $(member quantity quantity), $(member type type), $(member app_account_token appAccountToken),
    $(member environment environment), $(member price price), $(member currency currency),
    $(member storefront storefront), $(member revoked_ms revocationDate) from transaction_line;
create table receipts as select
    $(member received_at received_at), $(member account_id account_id), $(member order_id order_id),
    $(member transaction_id transaction_id), $(member product_id product_id), $(member receipt_data receipt_data),
    $(member verify_status verify_status) from receipt_line;
drop table transaction_line;
drop table receipt_line;
END
    index orders order_id app_account_token
    index credits transaction_id
    index receipts transaction_id
    index transactions transaction_id
    if [ "$database" != :memory: ]; then
        index orders account_id
        index credits order_id account_id
        index receipts order_id account_id
        index transactions app_account_token
    fi
    echo 'create temp table purchase as'
    cat "$here/classify.sql"
    cat <<END
;
.mode csv
.headers on
.once $out/findings.csv
select * from purchase where verdict <> 'matched' order by verdict, transaction_id;
.headers off
.mode list
.separator " "
select verdict, count(*) from purchase where verdict <> 'matched' group by verdict order by verdict;
END
} | sqlite3 -bail "$database" | grep -v '^off$'
