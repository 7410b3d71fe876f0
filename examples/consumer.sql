-- Applies a retry manifest to the tables of a backend, all in one transaction. docs/use/retry-manifest.md explains each
-- step; consumer.py says what the backend must have and does the same entry by entry. In the sqlite3 shell:
--
--   .param set :now "'2025-11-02T06:00:00Z'"
--   .param set :manifest "'out/latest/retry-manifest.jsonl'"
--   .read consumer.sql
--
-- Where it stops with an error, nothing was applied, and the next reading does it all. (If you typed these lines at a
-- prompt, leave the shell or type ROLLBACK; at once: the backend cannot write meanwhile.) Then deliver the answers:
--
--   { echo key,outcome,at,message; sqlite3 -csv backend.sqlite "SELECT key, outcome, at, message FROM retry_answer
--       WHERE at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-7 days')"; } >.acks.part && mv .acks.part acks.csv

-- Without this the shell goes on after an error: a transaction that was refused would become many small ones.
.bail on
.timeout 30000
BEGIN IMMEDIATE;

CREATE TABLE IF NOT EXISTS retry_done (key TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS retry_answer (key TEXT, outcome TEXT, at TEXT, message TEXT);
CREATE TABLE IF NOT EXISTS restored (transaction_id TEXT, original_transaction_id TEXT);
CREATE TABLE IF NOT EXISTS renewable (product_id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS paid_order (order_id TEXT, transaction_id TEXT);

-- The script may have been read before in this session.
DROP TABLE IF EXISTS temp.manifest;
DROP TABLE IF EXISTS temp.needed;
DROP TABLE IF EXISTS temp.entry;

CREATE TEMP TABLE manifest AS
    SELECT readfile(:manifest) AS bytes, rtrim(:manifest, replace(:manifest, '/', '')) AS folder;

-- The name of the first constraint that fails is the message.
CREATE TEMP TABLE needed (
    now CONSTRAINT "set :now to an instant such as 2025-11-02T06:00:00Z; nothing was applied" CHECK (now),
    manifest CONSTRAINT "set :manifest to the path of a file that can be read; nothing was applied" CHECK (manifest),
    sum CONSTRAINT "the manifest does not match its line in SHA256SUMS: it is cut or changed, fetch the folder again; nothing was applied"
        CHECK (sum),
    credit_id CONSTRAINT "credits.credit_id is not unique: CREATE UNIQUE INDEX credits_credit_id ON credits (credit_id); nothing was applied"
        CHECK (credit_id),
    key CONSTRAINT "retry_done.key is not unique: CREATE UNIQUE INDEX retry_done_key ON retry_done (key); nothing was applied"
        CHECK (key),
    types CONSTRAINT "transaction_id and order_id of credits and transaction_id of revoked must be of type TEXT; nothing was applied"
        CHECK (types));

INSERT INTO needed (now, manifest, sum, credit_id, key, types)
SELECT coalesce(:now GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z', 0), bytes IS NOT NULL,
    -- edit() hands the bytes to a command and takes back what the command makes of them: here their SHA-256.
    bytes IS NOT NULL AND coalesce(instr(
        char(10) || CAST(readfile(folder || 'SHA256SUMS') AS TEXT),
        char(10)
            || substr(CAST(edit(coalesce(bytes, x''), 'hash() { sum=$(sha256sum <"$1") && printf %s "$sum" >"$1"; }; hash') AS TEXT), 1, 64)
            || '  ' || substr(:manifest, length(folder) + 1) || char(10)) > 0, 0),
    EXISTS (
        SELECT 1 FROM pragma_index_list('credits') AS list WHERE list."unique" AND NOT list.partial
            AND (SELECT group_concat(coalesce(name, '')) FROM pragma_index_info(list.name)) = 'credit_id'),
    EXISTS (
        SELECT 1 FROM pragma_index_list('retry_done') AS list WHERE list."unique" AND NOT list.partial
            AND (SELECT group_concat(coalesce(name, '')) FROM pragma_index_info(list.name)) = 'key'),
    3 = (
        SELECT count(*) FROM (
            SELECT name, type FROM pragma_table_info('credits') WHERE name IN ('transaction_id', 'order_id')
            UNION ALL SELECT name, type FROM pragma_table_info('revoked') WHERE name = 'transaction_id')
        WHERE type LIKE '%TEXT%' OR type LIKE '%CHAR%')
FROM manifest;

CREATE TEMP TABLE entry (
    key, order_id, transaction_id, original_transaction_id, account_id, product_id, quantity, precondition,
    suggested_order_ids, now, outcome, message,
    schema CONSTRAINT "the schema is not reconcile.retry/1: update this script; nothing was applied"
        CHECK (coalesce(schema = 'reconcile.retry/1', 0)));

-- What happens with each entry, after all that happened with those before it.
CREATE TEMP TRIGGER apply AFTER INSERT ON entry BEGIN
    UPDATE entry SET (outcome, message) = (
        WITH original (id) AS (
            SELECT coalesce(NEW.original_transaction_id, NEW.transaction_id)
            WHERE NOT EXISTS (SELECT 1 FROM renewable WHERE product_id = NEW.product_id)),
        -- The purchase has several ids where it was restored. Each renewal of a subscription is a purchase of its own.
        purchase (id) AS (
            SELECT NEW.transaction_id UNION SELECT id FROM original
            UNION SELECT transaction_id FROM restored WHERE original_transaction_id IN (SELECT id FROM original)),
        condition (name) AS (SELECT value FROM json_each(NEW.precondition)),
        finding (turn, outcome, message) AS (
            SELECT 1, 'already_applied', NULL
            WHERE EXISTS (SELECT 1 FROM retry_done WHERE key = NEW.key) OR EXISTS (SELECT 1 FROM credits WHERE credit_id = NEW.key)
            UNION ALL SELECT 2, 'permanent_error', 'unknown precondition ' || name || ': update the consumer, then release the entry'
            FROM condition
            WHERE name NOT IN (
                'no_credit_for_transaction', 'no_credit_for_order', 'no_credit_for_suggested_orders', 'not_revoked_since')
            UNION ALL SELECT 2, 'permanent_error', name || ' without what it is about' FROM condition
            WHERE CASE name
                WHEN 'no_credit_for_order' THEN NEW.order_id
                WHEN 'no_credit_for_suggested_orders' THEN nullif(NEW.suggested_order_ids, '[]')
                ELSE NEW.transaction_id END IS NULL
            -- A credit is in force until a reversal cancels it. A row without a kind is a credit.
            UNION ALL SELECT 3, 'precondition_failed', name FROM condition
            WHERE name = 'no_credit_for_transaction' AND EXISTS (
                SELECT 1 FROM credits WHERE transaction_id IN (SELECT id FROM purchase)
                GROUP BY transaction_id HAVING sum(CASE kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0
                UNION ALL SELECT 1 FROM credits
                WHERE order_id IN (SELECT order_id FROM paid_order WHERE transaction_id IN (SELECT id FROM purchase))
                GROUP BY order_id HAVING sum(CASE kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0)
            UNION ALL SELECT 3, 'precondition_failed', name FROM condition
            WHERE name = 'no_credit_for_order' AND EXISTS (
                SELECT 1 FROM credits WHERE order_id = NEW.order_id
                GROUP BY order_id HAVING sum(CASE kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0)
            UNION ALL SELECT 3, 'precondition_failed', name FROM condition
            WHERE name = 'no_credit_for_suggested_orders' AND EXISTS (
                SELECT 1 FROM credits WHERE order_id IN (SELECT value FROM json_each(NEW.suggested_order_ids))
                GROUP BY order_id HAVING sum(CASE kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0)
            UNION ALL SELECT 3, 'precondition_failed', name FROM condition
            WHERE name = 'not_revoked_since'
                AND EXISTS (SELECT 1 FROM revoked WHERE transaction_id IN (SELECT id FROM purchase))
            UNION ALL SELECT 4, 'applied', NULL)
        SELECT outcome, message FROM finding ORDER BY turn LIMIT 1)
    WHERE rowid = NEW.rowid;
    INSERT OR IGNORE INTO credits (
        credit_id, order_id, transaction_id, account_id, product_id, quantity, kind, origin, credited_at)
    SELECT key, order_id, transaction_id, account_id, product_id, quantity, 'credit', 'auto', now
    FROM entry WHERE rowid = NEW.rowid AND outcome = 'applied';
    -- One entry that breaks a constraint of the backend stops no other.
    UPDATE entry SET outcome = 'retryable_error', message = 'a constraint of credits refuses the row'
    WHERE rowid = NEW.rowid AND outcome = 'applied' AND NOT EXISTS (SELECT 1 FROM credits WHERE credit_id = NEW.key);
    INSERT INTO retry_done (key) SELECT key FROM entry WHERE rowid = NEW.rowid AND outcome = 'applied';
    INSERT INTO retry_answer (key, outcome, at, message)
    SELECT key, outcome, now, message FROM entry WHERE rowid = NEW.rowid;
END;

-- Line feeds stand only between lines: the lines become a JSON array. A line of held.jsonl or dead-letter.jsonl has no
-- time at which anybody may act, so that the comparison with :now leaves it out.
INSERT INTO entry (
    schema, key, order_id, transaction_id, original_transaction_id, account_id, product_id, quantity, precondition,
    suggested_order_ids, now)
SELECT json_extract(value, '$.schema'), json_extract(value, '$.key'), json_extract(value, '$.order_id'),
    json_extract(value, '$.transaction_id'), json_extract(value, '$.original_transaction_id'),
    json_extract(value, '$.account_id'), json_extract(value, '$.product_id'), json_extract(value, '$.quantity'),
    json_extract(value, '$.precondition'), coalesce(json_extract(value, '$.suggested_order_ids'), '[]'), :now
FROM manifest, json_each('[' || replace(trim(CAST(bytes AS TEXT), char(10)), char(10), ',') || ']')
WHERE coalesce(json_extract(value, '$.schema') <> 'reconcile.retry/1', 1)
    OR json_extract(value, '$.action') = 'credit'
        AND json_extract(value, '$.not_before') <= :now AND :now < json_extract(value, '$.expires_at')
ORDER BY json_extract(value, '$.key');

COMMIT;
SELECT outcome, count(*) FROM entry GROUP BY outcome;
