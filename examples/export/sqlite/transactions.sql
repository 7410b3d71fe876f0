-- What Apple signed and the backend stored since :since: one record a line (a JWS, or JSON without line ends).
-- The empty line at the end is for days without records: an export that prints nothing has failed.
SELECT replace(replace(t.signed_transaction, char(13), ' '), char(10), ' ') FROM apple_transactions AS t
WHERE datetime(t.received_at) >= datetime(:since) AND t.signed_transaction IS NOT NULL
UNION ALL SELECT '';
