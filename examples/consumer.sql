-- Applies a retry manifest to a backend's own tables, all in one transaction. docs/retry-manifest.md says why it is
-- written as it is; consumer.py does the same entry by entry. SQLite's dialect, in
-- the sqlite3 shell:
--
--   .param set :now "'2025-11-02T06:00:00Z'"
--   .param set :manifest "'retry-manifest.jsonl'"
--   .read consumer.sql
--
-- The backend has `credits` as in docs/feeds.md, and `revoked (transaction_id)`, filled by Apple's notifications.
-- The day's answers are then: SELECT * FROM retry_answer WHERE substr(at, 1, 10) = …
CREATE TABLE IF NOT EXISTS retry_done (key TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS retry_answer (key TEXT, outcome TEXT, at TEXT, message TEXT);

BEGIN IMMEDIATE;

-- Line feeds stand only between lines: the lines become a JSON array. Of two entries for one order the second waits.
CREATE TEMP TABLE entry AS
    SELECT *, row_number() OVER (PARTITION BY coalesce(order_id, key) ORDER BY key) AS turn
    FROM (
        SELECT value ->> 'key' AS key, value ->> 'order_id' AS order_id, value ->> 'transaction_id' AS transaction_id,
            value ->> 'account_id' AS account_id, value ->> 'product_id' AS product_id, value ->> 'quantity' AS quantity,
            value -> 'precondition' AS precondition
        FROM json_each('[' || replace(trim(CAST(readfile(:manifest) AS TEXT), char(10)), char(10), ',') || ']')
        WHERE value ->> 'schema' = 'reconcile.retry/1' AND value ->> 'action' = 'credit'
            AND value ->> 'not_before' <= :now AND :now < value ->> 'expires_at');

CREATE TEMP TABLE verdict AS
    SELECT entry.*,
        CASE
            WHEN key IN (SELECT key FROM retry_done) THEN 'already_applied'
            WHEN EXISTS (
                SELECT 1 FROM json_each(precondition)
                WHERE value NOT IN ('no_credit_for_transaction', 'no_credit_for_order', 'not_revoked_since'))
                THEN 'permanent_error'  -- a condition that nobody here knows
            WHEN (SELECT sum(iif(kind = 'credit', 1, -1)) FROM credits c WHERE c.transaction_id = entry.transaction_id) > 0
                OR (SELECT sum(iif(kind = 'credit', 1, -1)) FROM credits c WHERE c.order_id = entry.order_id) > 0
                OR transaction_id IN (SELECT transaction_id FROM revoked)
                THEN 'precondition_failed'
            ELSE 'applied'
        END AS outcome
    FROM entry WHERE turn = 1;

INSERT INTO retry_done SELECT key FROM verdict WHERE outcome = 'applied';
INSERT INTO credits
    SELECT key, order_id, transaction_id, account_id, product_id, quantity, 'credit', 'auto', :now
    FROM verdict WHERE outcome = 'applied';
INSERT INTO retry_answer SELECT key, outcome, :now, NULL FROM verdict;

COMMIT;
