-- What Apple signed and the backend stored since @since: one record a line (a JWS, or JSON without line ends).
SELECT REPLACE(REPLACE(t.signed_transaction, '\r', ' '), '\n', ' ') FROM apple_transactions AS t
WHERE t.received_at >= @since AND t.signed_transaction IS NOT NULL
UNION ALL SELECT '';
