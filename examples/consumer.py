#!/usr/bin/env python3
"""Applies a retry manifest to a backend's own tables. docs/retry-manifest.md says why it is written as it is.

    consumer.py MANIFEST BACKEND.sqlite NOW ACKS.csv        NOW as 2025-11-02T06:00:00Z

The backend here is SQLite with `credits` as in docs/feeds.md and `revoked (transaction_id)`, filled by Apple's
notifications; any database with transactions does. Other actions than `credit` are left to other jobs.
"""
import csv, json, os, sqlite3, sys

PRECONDITIONS = {
    "no_credit_for_transaction":
        "SELECT coalesce(sum(iif(kind = 'credit', 1, -1)), 0) <= 0 FROM credits WHERE transaction_id = :transaction_id",
    "no_credit_for_order":
        "SELECT coalesce(sum(iif(kind = 'credit', 1, -1)), 0) <= 0 FROM credits WHERE order_id = :order_id",
    "not_revoked_since": "SELECT count(*) = 0 FROM revoked WHERE transaction_id = :transaction_id",
}

def apply(db, entry):
    """The outcome. Key, preconditions and goods belong to one transaction: the caller's."""
    if db.execute("SELECT 1 FROM retry_done WHERE key = :key", entry).fetchone():
        return "already_applied", None
    for name in entry["precondition"]:
        if name not in PRECONDITIONS:
            return "permanent_error", "unknown precondition " + name
        if not db.execute(PRECONDITIONS[name], entry).fetchone()[0]:
            return "precondition_failed", name
    db.execute("INSERT INTO retry_done VALUES (:key)", entry)
    db.execute("INSERT INTO credits VALUES (:key, :order_id, :transaction_id, :account_id, :product_id, :quantity,"
               " 'credit', 'auto', :now)", entry)
    return "applied", None

def main(manifest, backend, now, acks):
    db = sqlite3.connect(backend, isolation_level=None)
    db.executescript("CREATE TABLE IF NOT EXISTS retry_done (key TEXT PRIMARY KEY);"
                     "CREATE TABLE IF NOT EXISTS retry_answer (key TEXT, outcome TEXT, at TEXT, message TEXT);")
    for line in open(manifest, encoding="utf-8"):
        entry = json.loads(line) | {"now": now}
        if entry["schema"] != "reconcile.retry/1" or entry["action"] != "credit":
            continue
        if not entry["not_before"] <= now < entry["expires_at"]:
            continue
        db.execute("BEGIN IMMEDIATE")
        outcome, message = apply(db, entry)
        # The answer is a row, too: a crash after the commit loses nothing.
        db.execute("INSERT INTO retry_answer VALUES (?, ?, ?, ?)", (entry["key"], outcome, now, message))
        db.execute("COMMIT")
    with open(acks + ".part", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "outcome", "at", "message"])
        writer.writerows(db.execute("SELECT * FROM retry_answer WHERE substr(at, 1, 10) = substr(?, 1, 10)", (now,)))
    os.replace(acks + ".part", acks)

if __name__ == "__main__":
    main(*sys.argv[1:])
