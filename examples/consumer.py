#!/usr/bin/env python3
"""Applies a retry manifest to the tables of a backend. docs/use/retry-manifest.md explains each step.

    consumer.py MANIFEST BACKEND.sqlite NOW ACKS.csv        NOW as 2025-11-02T06:00:00Z

The backend here is SQLite; consumer-postgresql.sql does the same in PostgreSQL. It needs two tables of the backend:
`credits`, as in docs/use/feeds.md, with a unique `credit_id`, and `revoked (transaction_id)`, which Apple's refund
notifications fill. It makes five tables where they are missing: `retry_done` and `retry_answer`, which belong to it,
and `restored`, `renewable` and `paid_order` (the payment that an order names), which the backend fills. It applies the
action `credit` only.

It ends with 0 when every entry that is due has an answer, and with 1 when it could not go on: then run it again.
"""
import csv, hashlib, json, os, re, sqlite3, sys

TABLES = """
CREATE TABLE IF NOT EXISTS retry_done (key TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS retry_answer (key TEXT, outcome TEXT, at TEXT, message TEXT);
CREATE TABLE IF NOT EXISTS restored (transaction_id TEXT, original_transaction_id TEXT);
CREATE TABLE IF NOT EXISTS renewable (product_id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS paid_order (order_id TEXT, transaction_id TEXT);
"""

# The purchase has several transaction ids where it was restored. Each renewal of a subscription is a purchase of its own.
PURCHASE = """
WITH original (id) AS (SELECT coalesce(:original_transaction_id, :transaction_id)
    WHERE NOT EXISTS (SELECT 1 FROM renewable WHERE product_id = :product_id)),
purchase (id) AS (SELECT :transaction_id UNION SELECT id FROM original
    UNION SELECT transaction_id FROM restored WHERE original_transaction_id IN (SELECT id FROM original))
"""
# A credit is in force until a reversal cancels it. A row without a kind is a credit.
CREDITED = ("SELECT 1 FROM credits WHERE {0} IN ({1}) GROUP BY {0}"
            " HAVING sum(CASE kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0")

# Of each precondition: the members of the entry that it needs, and a query that finds a row where it does not hold.
PRECONDITIONS = {
    "no_credit_for_transaction":
        ("transaction_id", PURCHASE + CREDITED.format("transaction_id", "SELECT id FROM purchase") + " UNION ALL " + CREDITED.format(
            "order_id", "SELECT order_id FROM paid_order WHERE transaction_id IN (SELECT id FROM purchase)")),
    "no_credit_for_order": ("order_id", CREDITED.format("order_id", ":order_id")),
    "no_credit_for_suggested_orders":
        ("suggested_order_ids", CREDITED.format("order_id", "SELECT value FROM json_each(:suggested_order_ids)")),
    "not_revoked_since":
        ("transaction_id", PURCHASE + "SELECT 1 FROM revoked WHERE transaction_id IN (SELECT id FROM purchase)"),
}


def refuse(why):
    sys.exit(f"consumer.py: {why}. Nothing was applied")


def read(path):
    """The manifest's entries, proven to be what was published: all of it, and nothing else."""
    folder, name = os.path.split(os.path.realpath(path))  # `latest` may point elsewhere a moment later
    with open(os.path.join(folder, name), "rb") as file:
        data = file.read()
    try:
        with open(os.path.join(folder, "SHA256SUMS"), encoding="utf-8") as file:
            sums = file.read().splitlines()
    except FileNotFoundError:
        refuse(f"{folder} has no SHA256SUMS: name the manifest in the folder that reconcile published")
    if f"{hashlib.sha256(data).hexdigest()}  {name}" not in sums:
        refuse(f"{path} does not match its line in SHA256SUMS: it is cut or changed; fetch the folder again")
    entries = [json.loads(line) for line in data.decode("utf-8").split("\n") if line]
    for number, entry in enumerate(entries, 1):
        if entry["schema"] != "reconcile.retry/1":
            refuse(f"{path}:{number}: the schema is {entry['schema']}, not reconcile.retry/1: update this consumer")
    return entries


def check(db):
    """Without these the tables themselves would let goods be given twice."""
    for table, column in ("credits", "credit_id"), ("retry_done", "key"):
        if not db.execute("""SELECT 1 FROM pragma_index_list(?) AS list WHERE list."unique" AND NOT list.partial AND
                (SELECT group_concat(coalesce(name, '')) FROM pragma_index_info(list.name)) = ?""", (table, column)).fetchone():
            refuse(f"{table}.{column} is not unique: CREATE UNIQUE INDEX {table}_{column} ON {table} ({column})")
    for table, column in ("credits", "transaction_id"), ("credits", "order_id"), ("revoked", "transaction_id"):
        if not db.execute("SELECT 1 FROM pragma_table_info(?) WHERE name = ? AND (type LIKE '%TEXT%' OR type LIKE '%CHAR%')",
                          (table, column)).fetchone():
            refuse(f"{table}.{column} must be of type TEXT: an id that is stored as a number equals no text")


def judge(db, entry):
    """What may be done about an entry, and why."""
    if db.execute("SELECT key FROM retry_done WHERE key = :key UNION SELECT credit_id FROM credits WHERE credit_id = :key",
                  entry).fetchone():
        return "already_applied", None
    for name in entry["precondition"]:
        if name not in PRECONDITIONS:
            return "permanent_error", f"unknown precondition {name}: update the consumer, then release the entry"
        if entry[PRECONDITIONS[name][0]] in (None, "[]"):
            return "permanent_error", f"{name} without {PRECONDITIONS[name][0]}"
    for name in entry["precondition"]:
        if db.execute(PRECONDITIONS[name][1], entry).fetchone():
            return "precondition_failed", name
    return "applied", None


def apply(db, entry):
    """Claims the key, checks, gives the goods and keeps the answer: all of it in one transaction, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    outcome, message = judge(db, entry)
    if outcome == "applied":
        db.execute("SAVEPOINT goods")
        try:
            db.execute("INSERT INTO retry_done (key) VALUES (:key)", entry)
            db.execute("INSERT INTO credits (credit_id, order_id, transaction_id, account_id, product_id, quantity, kind,"
                       " origin, credited_at) VALUES (:key, :order_id, :transaction_id, :account_id, :product_id,"
                       " :quantity, 'credit', 'auto', :now)", entry)
        except sqlite3.IntegrityError as error:  # one entry that cannot be applied stops no other
            db.execute("ROLLBACK TO goods")
            outcome, message = "retryable_error", str(error)
    db.execute("INSERT INTO retry_answer (key, outcome, at, message) VALUES (?, ?, ?, ?)",
               (entry["key"], outcome, entry["now"], message))
    db.execute("COMMIT")


def answer(db, now, path):
    """Writes the answers of the last seven days: what a run could not deliver, the next one does."""
    db.execute("BEGIN IMMEDIATE")  # of two runs the later one knows all answers
    part = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.part")  # no feed matches a name with a point first
    with open(part, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "outcome", "at", "message"])
        writer.writerows(db.execute("SELECT key, outcome, at, message FROM retry_answer"
                                    " WHERE at > strftime('%Y-%m-%dT%H:%M:%SZ', ?, '-7 days') ORDER BY at, key", (now,)))
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    db.execute("COMMIT")


def main(manifest, backend, now, acks):
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", now):
        refuse(f"NOW is {now}, not an instant such as 2025-11-02T06:00:00Z")
    try:
        entries = read(manifest)
        if not os.path.exists(backend):
            refuse(f"{backend} does not exist")
        db = sqlite3.connect(backend, timeout=30, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        for statement in TABLES.strip().splitlines():
            db.execute(statement)
        check(db)
        db.execute("COMMIT")
        for entry in entries:
            # A line of held.jsonl or dead-letter.jsonl has no time at which anybody may act.
            if entry["action"] == "credit" and entry["not_before"] and entry["not_before"] <= now < entry["expires_at"]:
                entry["suggested_order_ids"] = json.dumps(entry.get("suggested_order_ids", []))
                apply(db, entry | {"now": now})
        answer(db, now, acks)
    except (OSError, sqlite3.Error, ValueError) as error:
        sys.exit(f"consumer.py: {error}. What was applied has its key and its answer: run it again")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: consumer.py MANIFEST BACKEND.sqlite NOW ACKS.csv")
    main(*sys.argv[1:])
