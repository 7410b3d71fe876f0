-- Orders that changed since @since, as JSON with the names of feeds.md. Edit the names of tables and columns; leave out what you do not
-- have. JSON, because the client's own tables do not say where a text with tabs or line ends ends.
SELECT JSON_OBJECT('order_id', o.order_no, 'account_id', o.user_id, 'product_id', o.product_id, 'quantity', o.quantity,
    'amount', o.amount,               -- in major units; amounts in cents: 'amount_minor', o.cents
    'currency', o.currency, 'app_account_token', o.app_account_token, 'transaction_id', o.apple_transaction_id,
    -- A state that is not listed stays as it is; the row is then rejected, with the word.
    'status', CASE o.state WHEN 'new' THEN 'created' WHEN 'done' THEN 'credited' WHEN 'closed' THEN 'cancelled' ELSE o.state END,
    'created_at', o.created_at, 'updated_at', o.updated_at)
FROM orders AS o
-- Apple's orders only: other channels have no record at Apple and would look unpaid. Unknown channels stay.
WHERE o.updated_at >= @since AND (o.channel = 'apple' OR o.channel IS NULL)
-- The empty line is for days without rows: an export that prints nothing has failed.
UNION ALL SELECT '';
