CREATE VIEW v_retry AS
    SELECT entry_key, exception, state, attempts, answer, message, dead_reason
    FROM retry_entry WHERE is_demanded = 1;
CREATE VIEW v_exception_open AS
    SELECT x.id, ifnull((
            SELECT e.state FROM exception_event e
            WHERE e.exception = x.id
                AND e.run >= (SELECT min(id) FROM run WHERE business_date = (SELECT max(business_date) FROM run))
                AND (e.by_whom IS NULL OR e.run = (SELECT max(id) FROM run))
            ORDER BY e.run DESC, e.number DESC LIMIT 1
        ), x.state) AS state,
        x.verdict, x.cause, x.first_seen, x.amount, x.currency, x.key AS subject,
        x.labels
    FROM exception x WHERE x.state NOT IN ('resolved', 'waived');
CREATE VIEW v_exception_history AS
    SELECT e.exception, r.business_date, e.state, e.verdict, e.cause, e.amount, e.currency, e.by_whom, e.note
    FROM exception_event e JOIN run r ON r.id = e.run;
CREATE VIEW v_order AS
    SELECT o.*, d.name AS file FROM backend_order o JOIN delivery d ON d.id = o.delivery;
CREATE VIEW v_credit AS
    SELECT c.*, d.name AS file FROM backend_credit c JOIN delivery d ON d.id = c.delivery;
CREATE VIEW v_transaction AS
    SELECT t.*, d.name AS file FROM apple_transaction t JOIN delivery d ON d.id = t.delivery;
CREATE VIEW v_receipt AS
    SELECT r.*, d.name AS file FROM client_receipt r JOIN delivery d ON d.id = r.delivery;
