-- What Apple signed and the backend stored since :since: one record a line (a JWS, or JSON without line ends).
-- The empty line at the end is for days without records: an export that prints nothing has failed.
SET row_security = off; SET lock_timeout = '5min';
SELECT translate(t.signed_transaction::text, E'\r\n', '  ') FROM apple_transactions AS t
WHERE t.received_at >= :'since' AND t.signed_transaction IS NOT NULL
UNION ALL SELECT '';
