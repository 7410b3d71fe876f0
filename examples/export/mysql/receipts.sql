-- What clients uploaded since @since, as JSON with the names of feeds.md. See orders.sql. Without such a table, remove the feed.
-- Line ends within the receipt's base64 would be part of it.
SELECT JSON_OBJECT('received_at', r.received_at, 'account_id', r.user_id, 'receipt_id', r.id, 'order_id', r.order_no,
    'transaction_id', r.apple_transaction_id, 'product_id', r.product_id,
    'receipt_data', REPLACE(REPLACE(r.receipt, '\r', ''), '\n', ''), 'verify_status', r.apple_status)
FROM receipts AS r
WHERE r.received_at >= @since
UNION ALL SELECT '';
