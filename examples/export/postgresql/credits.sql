-- Goods given or taken back since :since, with the columns of feeds.md. See orders.sql.
SET row_security = off; SET lock_timeout = '5min'; SET TIME ZONE 'UTC';
SELECT c.id AS credit_id, c.order_no AS order_id, c.apple_transaction_id AS transaction_id, c.user_id AS account_id,
    c.product_id, abs(c.quantity) AS quantity,
    CASE WHEN c.quantity < 0 THEN 'reversal' ELSE 'credit' END AS kind,
    CASE WHEN c.by_desk THEN 'desk' ELSE 'auto' END AS origin,
    c.created_at AS credited_at
FROM credits AS c LEFT JOIN orders AS o ON o.order_no = c.order_no
-- Only credits of other channels' orders are left out: one whose order is unknown may belong to a purchase of Apple's.
WHERE c.created_at >= :'since' AND (o.channel = 'apple' OR o.channel IS NULL)
    AND (c.order_no IS NOT NULL OR c.apple_transaction_id IS NOT NULL);
