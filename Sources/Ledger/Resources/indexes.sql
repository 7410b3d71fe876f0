CREATE INDEX run_business_date ON run (business_date);
CREATE INDEX rejected_row_run ON rejected_row (run);
CREATE INDEX refund_line_run ON refund_line (run);
CREATE INDEX delivery_digest ON delivery (digest);
CREATE INDEX exception_case ON exception (case_file);
CREATE INDEX exception_open ON exception (
    verdict, cause, action, currency, amount, event_at, product, account, retry_key, transactions, labels, id
) WHERE state = 'open';
CREATE INDEX exception_event_person ON exception_event (exception, run) WHERE by_whom IS NOT NULL;
CREATE INDEX retry_entry_exception ON retry_entry (exception);
CREATE INDEX retry_entry_demanded ON retry_entry (state) WHERE is_demanded = 1;
CREATE INDEX retry_answer_key ON retry_answer (entry_key, at);
CREATE INDEX retry_line_standing ON retry_line (id) WHERE until_run IS NULL;
