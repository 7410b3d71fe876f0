-- Orders that changed since :since, with the columns of feeds.md. Edit the names of tables and columns; write NULL AS name for
-- what you do not have. A timestamptz has its offset. A timestamp is read in the feed's timeZone.
SET row_security = off; SET lock_timeout = '5min'; SET TIME ZONE 'UTC';   -- rows that a policy hides are an error
SELECT o.order_no AS order_id, o.user_id AS account_id, o.product_id, o.quantity,
    o.amount,                         -- in major units; amounts in cents: o.cents AS amount_minor
    o.currency, o.app_account_token, o.apple_transaction_id AS transaction_id,
    -- A state that is not listed stays as it is; the row is then rejected, with the word.
    CASE o.state WHEN 'new' THEN 'created' WHEN 'done' THEN 'credited' WHEN 'closed' THEN 'cancelled' ELSE o.state END AS status,
    o.created_at, o.updated_at
FROM orders AS o
-- Apple's orders only: other channels have no record at Apple and would look unpaid. Unknown channels stay.
WHERE o.updated_at >= :'since' AND (o.channel = 'apple' OR o.channel IS NULL);
