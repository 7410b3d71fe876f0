-- What clients uploaded since :since, with the columns of feeds.md. See orders.sql. Without such a table, remove the feed.
-- Line ends within the receipt's base64 would be part of it.
SET row_security = off; SET lock_timeout = '5min'; SET TIME ZONE 'UTC';
SELECT r.received_at, r.user_id AS account_id, r.id AS receipt_id, r.order_no AS order_id,
    r.apple_transaction_id AS transaction_id, r.product_id, translate(r.receipt, E'\r\n', '') AS receipt_data,
    r.apple_status AS verify_status
FROM receipts AS r
WHERE r.received_at >= :'since';
