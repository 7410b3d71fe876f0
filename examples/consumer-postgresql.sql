-- Applies a retry manifest to the tables of a backend in PostgreSQL (14 or later), all in one transaction.
-- docs/use/retry-manifest.md explains each step; consumer.py says what the backend must have.
--
--   psql -qX -v now=2025-11-02T06:00:00Z -v manifest=out/latest/retry-manifest.jsonl -f consumer-postgresql.sql backend
--
-- Where it stops with an error, nothing was applied; the next run does it all. Then deliver the answers:
--
--   psql -qX --csv -c "SELECT key, outcome, at, message FROM retry_answer
--       WHERE at::timestamptz > now() - interval '7 days'" backend >.acks.part && mv .acks.part acks.csv
--
-- Ids are text, credited_at is a timestamptz. The role needs INSERT and UPDATE on credits, SELECT on revoked, and CREATE.

\set ON_ERROR_STOP on
\if :{?now}
\else
    \set now ''
\endif
\if :{?manifest}
\else
    \set manifest ''
\endif
\setenv MANIFEST :manifest
\set bytes `base64 -w 0 -- "$MANIFEST"`
\set name `basename -- "$MANIFEST"`
\set sums `cat -- "$(dirname -- "$MANIFEST")/SHA256SUMS"`

BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL client_min_messages = warning;
-- Nobody else gives goods between the check and the credit, neither the backend nor a second consumer. LOCK fails outside
-- a transaction. The backend waits meanwhile, and this script waits for it no longer than so:
SET LOCAL lock_timeout = '5s';
LOCK TABLE credits IN SHARE ROW EXCLUSIVE MODE;
-- A row that an entry needs (by a foreign key) may be locked by a transaction that waits for this one: give way first.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE IF NOT EXISTS retry_done (key text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS retry_answer (key text, outcome text, at text, message text);
CREATE TABLE IF NOT EXISTS restored (transaction_id text, original_transaction_id text);
CREATE TABLE IF NOT EXISTS renewable (product_id text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS paid_order (order_id text, transaction_id text);

DROP TABLE IF EXISTS pg_temp.retry_input;
CREATE TEMP TABLE retry_input ON COMMIT DROP AS
    SELECT decode(:'bytes', 'base64') AS manifest, :'name'::text AS name, :'sums'::text AS sums, :'now'::text AS now;

DO $$
DECLARE
    input record;
    needed record;
    entry record;
    condition text;
    purchase text[];
    orders text[];
    result text;
    reason text;
BEGIN
    SELECT * INTO STRICT input FROM retry_input;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'this session is in a transaction of another kind: end it first; nothing was applied';
    END IF;
    IF input.now !~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$' THEN
        RAISE EXCEPTION 'set now to an instant such as 2025-11-02T06:00:00Z: -v now=…; nothing was applied';
    END IF;
    IF strpos(E'\n' || input.sums || E'\n', E'\n' || encode(sha256(input.manifest), 'hex') || '  ' || input.name || E'\n') = 0 THEN
        RAISE EXCEPTION 'the manifest does not match its line in SHA256SUMS: it is cut or changed, or its folder is not the one that reconcile published; nothing was applied';
    END IF;
    FOR needed IN SELECT * FROM (VALUES ('credits', 'credit_id'), ('retry_done', 'key')) AS list (of, is_unique) LOOP
        IF NOT EXISTS (
            SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = needed.of::regclass AND i.indisunique AND i.indisvalid AND i.indimmediate
                AND i.indpred IS NULL AND i.indnkeyatts = 1 AND a.attname = needed.is_unique) THEN
            RAISE EXCEPTION '%.% is not unique: CREATE UNIQUE INDEX ON % (%); nothing was applied',
                needed.of, needed.is_unique, needed.of, needed.is_unique;
        END IF;
    END LOOP;

    FOR entry IN
        SELECT member.*
        FROM unnest(string_to_array(rtrim(convert_from(input.manifest, 'UTF8'), E'\n'), E'\n')) AS line,
            jsonb_to_record(line::jsonb) AS member (
                schema text, action text, key text, order_id text, transaction_id text, original_transaction_id text,
                account_id text, product_id text, quantity bigint, precondition text[], suggested_order_ids text[],
                not_before timestamptz, expires_at timestamptz)
        ORDER BY key
    LOOP
        IF entry.schema IS DISTINCT FROM 'reconcile.retry/1' THEN
            RAISE EXCEPTION 'the schema is %, not reconcile.retry/1: update this script; nothing was applied', entry.schema;
        END IF;
        -- A line of held.jsonl or dead-letter.jsonl has no time at which anybody may act.
        CONTINUE WHEN entry.action <> 'credit' OR entry.not_before IS NULL
            OR NOT (entry.not_before <= input.now::timestamptz AND input.now::timestamptz < entry.expires_at);

        -- The purchase has several ids where it was restored. Each renewal of a subscription is a purchase of its own.
        purchase := ARRAY[entry.transaction_id];
        IF NOT EXISTS (SELECT FROM renewable AS r WHERE r.product_id = entry.product_id) THEN
            purchase := purchase || coalesce(entry.original_transaction_id, entry.transaction_id) || ARRAY(
                SELECT r.transaction_id FROM restored AS r
                WHERE r.original_transaction_id = coalesce(entry.original_transaction_id, entry.transaction_id));
        END IF;

        result := 'applied';
        reason := NULL;
        IF EXISTS (SELECT FROM retry_done AS d WHERE d.key = entry.key)
            OR EXISTS (SELECT FROM credits AS c WHERE c.credit_id = entry.key) THEN
            result := 'already_applied';
        END IF;
        FOREACH condition IN ARRAY entry.precondition LOOP
            EXIT WHEN result <> 'applied';
            IF condition NOT IN (
                'no_credit_for_transaction', 'no_credit_for_order', 'no_credit_for_suggested_orders', 'not_revoked_since') THEN
                result := 'permanent_error';
                reason := 'unknown precondition ' || condition || ': update the consumer, then release the entry';
            ELSIF condition IN ('no_credit_for_transaction', 'not_revoked_since') AND entry.transaction_id IS NULL
                OR condition = 'no_credit_for_order' AND entry.order_id IS NULL
                OR condition = 'no_credit_for_suggested_orders' AND coalesce(cardinality(entry.suggested_order_ids), 0) = 0 THEN
                result := 'permanent_error';
                reason := condition || ' without what it is about';
            END IF;
        END LOOP;
        FOREACH condition IN ARRAY entry.precondition LOOP
            EXIT WHEN result <> 'applied';
            IF condition = 'no_credit_for_transaction' THEN
                -- A credit is in force until a reversal cancels it. A row without a kind is a credit.
                IF EXISTS (
                    SELECT FROM credits AS c WHERE c.transaction_id = ANY (purchase) GROUP BY c.transaction_id
                    HAVING sum(CASE c.kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0)
                    OR EXISTS (
                    SELECT FROM credits AS c JOIN paid_order AS o ON o.order_id = c.order_id
                    WHERE o.transaction_id = ANY (purchase) GROUP BY c.order_id
                    HAVING sum(CASE c.kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0) THEN
                    result := 'precondition_failed';
                END IF;
            ELSIF condition IN ('no_credit_for_order', 'no_credit_for_suggested_orders') THEN
                orders := CASE condition WHEN 'no_credit_for_order' THEN ARRAY[entry.order_id] ELSE entry.suggested_order_ids END;
                IF EXISTS (
                    SELECT FROM credits AS c WHERE c.order_id = ANY (orders) GROUP BY c.order_id
                    HAVING sum(CASE c.kind WHEN 'reversal' THEN -1 ELSE 1 END) > 0) THEN
                    result := 'precondition_failed';
                END IF;
            ELSIF EXISTS (SELECT FROM revoked AS r WHERE r.transaction_id = ANY (purchase)) THEN
                result := 'precondition_failed';
            END IF;
            IF result = 'precondition_failed' THEN
                reason := condition;
            END IF;
        END LOOP;

        IF result = 'applied' THEN
            BEGIN
                INSERT INTO retry_done (key) VALUES (entry.key);
                INSERT INTO credits (
                    credit_id, order_id, transaction_id, account_id, product_id, quantity, kind, origin, credited_at)
                VALUES (entry.key, entry.order_id, entry.transaction_id, entry.account_id, entry.product_id, entry.quantity,
                    'credit', 'auto', input.now::timestamptz);
            EXCEPTION WHEN integrity_constraint_violation OR lock_not_available OR deadlock_detected THEN
                -- One entry that breaks a constraint of the backend, or meets a lock, stops no other.
                result := 'retryable_error';
                reason := SQLERRM;
            END;
        END IF;
        INSERT INTO retry_answer (key, outcome, at, message) VALUES (entry.key, result, input.now, reason);
    END LOOP;
END
$$;

COMMIT;
SELECT outcome, count(*) FROM retry_answer WHERE at = :'now' GROUP BY outcome;
