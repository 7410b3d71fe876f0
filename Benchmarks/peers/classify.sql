-- One row for each purchase, named as reconcile names its verdicts; 'matched' where nothing is wrong. Reads the tables or views
-- orders, credits, transactions and receipts. Runs in DuckDB and in SQLite.
with credited as (
    select transaction_id, count(*) as entries, min(order_id) as order_id, min(account_id) as account_id,
        sum(case kind when 'reversal' then -quantity else quantity end) as balance
    from credits group by transaction_id
), reported as (
    select transaction_id, count(*) as entries, min(order_id) as order_id, min(account_id) as account_id,
        min(product_id) as product_id
    from receipts group by transaction_id
), paid as (
    -- The order is the one with the transaction's token; without a token, the one that the credit or the receipt names.
    select t.transaction_id, t.product_id, t.environment, t.purchased_ms, t.revoked_ms,
        t.price as paid_thousandths, t.currency as paid_currency,
        coalesce(by_token.order_id, by_name.order_id) as order_id,
        coalesce(by_token.account_id, by_name.account_id, c.account_id, r.account_id) as account_id,
        coalesce(by_token.amount_minor, by_name.amount_minor) as ordered_minor,
        coalesce(by_token.currency, by_name.currency) as ordered_currency,
        coalesce(c.entries, 0) as credits, coalesce(c.balance, 0) as balance, coalesce(r.entries, 0) as receipts
    from transactions as t
        left join credited as c on c.transaction_id = t.transaction_id
        left join reported as r on r.transaction_id = t.transaction_id
        left join orders as by_token on by_token.app_account_token = t.app_account_token
        left join orders as by_name
            on t.app_account_token is null and by_name.order_id = coalesce(c.order_id, r.order_id)
)
select
    case
        when balance > 0 and environment <> 'Production' then 'credited_not_paid'
        when balance > 0 and revoked_ms is not null then 'refunded_not_reversed'
        when balance > 1 then 'credited_twice'
        when credits = 0 and revoked_ms is null and environment = 'Production' then 'paid_not_credited'
        when ordered_minor * 10 <> paid_thousandths or ordered_currency <> paid_currency then 'value_mismatch'
        else 'matched'
    end as verdict,
    transaction_id, order_id, account_id, product_id, ordered_minor, ordered_currency, paid_thousandths, paid_currency,
    purchased_ms, credits, balance, receipts, environment
from paid
union all
select 'credited_not_paid', c.transaction_id, c.order_id, c.account_id, null, null, null, null, null, null, c.entries,
    c.balance, 0, null
from credited as c
where not exists (select 1 from transactions as t where t.transaction_id = c.transaction_id)
union all
select 'orphan_receipt', r.transaction_id, r.order_id, r.account_id, r.product_id, null, null, null, null, null, 0, 0,
    r.entries, null
from reported as r
where not exists (select 1 from transactions as t where t.transaction_id = r.transaction_id)
    and not exists (select 1 from credits as c where c.transaction_id = r.transaction_id)
