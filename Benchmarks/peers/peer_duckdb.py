"""A night by DuckDB and XlsxWriter: join, classify, write findings.csv and findings.xlsx, print the counts.

usage: peer_duckdb.py NIGHT OUT [DATABASE]

Without DATABASE nothing is kept: the files are read as views. With it every row is stored in a new database file, with
indexes on all the identifiers that a look-up by order, account, token or transaction needs."""
import os
import sys

import duckdb

from findings import print_counts, write_workbook

DATE = "2025-11-18"
ORDERS = "order_id account_id product_id amount_minor:BIGINT currency app_account_token status created_at"
CREDITS = "credit_id order_id transaction_id account_id quantity:BIGINT kind credited_at"
RECEIPTS = "received_at account_id order_id transaction_id product_id verify_status:INTEGER"
TRANSACTIONS = (
    "transactionId originalTransactionId bundleId productId purchaseDate:BIGINT quantity:INTEGER type appAccountToken"
    " environment price:BIGINT currency storefront revocationDate:BIGINT"
)
RENAMED = (
    "transactionId AS transaction_id, originalTransactionId AS original_transaction_id, bundleId AS bundle_id,"
    " productId AS product_id, purchaseDate AS purchased_ms, quantity, type, appAccountToken AS app_account_token,"
    " environment, price, currency, storefront, revocationDate AS revoked_ms"
)
INDEXES = {
    "orders": ["order_id", "account_id", "app_account_token"],
    "credits": ["transaction_id", "order_id", "account_id"],
    "transactions": ["transaction_id", "app_account_token"],
    "receipts": ["transaction_id", "order_id", "account_id"],
}


def columns(text):
    pairs = (name.partition(":") for name in text.split())
    return "{" + ", ".join(f"'{name}': '{type or 'VARCHAR'}'" for name, _, type in pairs) + "}"


def load(database, inbox, kind, is_kept):
    def csv(name, names):
        return f"read_csv('{inbox}/{name}-{DATE}.csv', header = true, columns = {columns(names)})"

    def lines(name, names):
        return f"read_json('{inbox}/{name}-{DATE}.jsonl', format = 'newline_delimited', columns = {columns(names)})"

    database.execute(f"CREATE {kind} orders AS SELECT * FROM {csv('orders', ORDERS)}")
    database.execute(f"CREATE {kind} credits AS SELECT * FROM {csv('credits', CREDITS)}")
    database.execute(f"CREATE {kind} transactions AS SELECT {RENAMED} FROM {lines('transactions', TRANSACTIONS)}")
    receipts = RECEIPTS + (" receipt_data" if is_kept else "")
    database.execute(f"CREATE {kind} receipts AS SELECT * FROM {lines('receipts', receipts)}")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    night, out = sys.argv[1:3]
    kept = sys.argv[3] if len(sys.argv) == 4 else None
    os.makedirs(out, exist_ok=True)
    database = duckdb.connect(kept or ":memory:")
    load(database, night + "/inbox", "TABLE" if kept else "VIEW", kept is not None)
    if kept:
        for table, names in INDEXES.items():
            for name in names:
                database.execute(f"CREATE INDEX {table}_{name} ON {table} ({name})")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "classify.sql"), encoding="utf-8") as file:
        database.execute("CREATE TEMP TABLE purchase AS " + file.read())
    counts = dict(
        database.execute("SELECT verdict, count(*) FROM purchase WHERE verdict <> 'matched' GROUP BY verdict").fetchall()
    )
    findings = "SELECT * FROM purchase WHERE verdict <> 'matched' ORDER BY verdict, transaction_id"
    database.execute(f"COPY ({findings}) TO '{out}/findings.csv' (HEADER)")
    write_workbook(out + "/findings.xlsx", database.execute(findings).fetchall(), counts)
    database.close()
    print_counts(counts)


main()
