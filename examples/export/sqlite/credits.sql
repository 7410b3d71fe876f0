-- Goods given or taken back since :since, as JSON with the names of feeds.md. See orders.sql.
SELECT json_object('credit_id', c.id, 'order_id', c.order_no, 'transaction_id', c.apple_transaction_id, 'account_id', c.user_id,
    'product_id', c.product_id, 'quantity', abs(c.quantity),
    'kind', CASE WHEN c.quantity < 0 THEN 'reversal' ELSE 'credit' END, 'origin', CASE WHEN c.by_desk THEN 'desk' ELSE 'auto' END,
    'credited_at', c.created_at)
FROM credits AS c LEFT JOIN orders AS o ON o.order_no = c.order_no
-- Only credits of other channels' orders are left out: one whose order is unknown may belong to a purchase of Apple's.
WHERE datetime(c.created_at) >= datetime(:since) AND (o.channel = 'apple' OR o.channel IS NULL)
    AND (c.order_no IS NOT NULL OR c.apple_transaction_id IS NOT NULL)
UNION ALL SELECT '';
