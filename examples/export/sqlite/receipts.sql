-- What clients uploaded since :since, as JSON with the names of feeds.md. See orders.sql. Without such a table, remove the feed.
-- Line ends within the receipt's base64 would be part of it.
SELECT json_object('received_at', r.received_at, 'account_id', r.user_id, 'receipt_id', r.id, 'order_id', r.order_no,
    'transaction_id', r.apple_transaction_id, 'product_id', r.product_id,
    'receipt_data', replace(replace(r.receipt, char(13), ''), char(10), ''), 'verify_status', r.apple_status)
FROM receipts AS r
WHERE datetime(r.received_at) >= datetime(:since)
UNION ALL SELECT '';
