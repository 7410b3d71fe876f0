"""A night by polars and XlsxWriter, with nothing kept: join, classify, write findings.csv and findings.xlsx, print the counts.

usage: peer_polars.py NIGHT OUT"""
import os
import sys

import polars as pl
from polars import col, lit, when

from findings import COLUMNS, print_counts, write_workbook

DATE = "2025-11-18"


def schema(texts, numbers):
    return {name: pl.String for name in texts.split()} | {name: pl.Int64 for name in numbers.split()}


def read(inbox):
    # A CSV file's columns are named in their order; of JSON only the members named are read.
    orders = dict.fromkeys(
        "order_id account_id product_id amount_minor currency app_account_token status created_at".split(), pl.String
    )
    orders["amount_minor"] = pl.Int64
    credits = dict.fromkeys(
        "credit_id order_id transaction_id account_id quantity kind credited_at".split(), pl.String)
    credits["quantity"] = pl.Int64
    transactions = schema(
        "transactionId productId appAccountToken environment currency", "purchaseDate price revocationDate")
    receipts = schema("account_id order_id transaction_id product_id", "")
    return (
        pl.scan_csv(f"{inbox}/orders-{DATE}.csv", schema=orders),
        pl.scan_csv(f"{inbox}/credits-{DATE}.csv", schema=credits),
        pl.scan_ndjson(f"{inbox}/transactions-{DATE}.jsonl", schema=transactions).rename(
            {
                "transactionId": "transaction_id", "productId": "product_id", "appAccountToken": "token",
                "price": "paid_thousandths", "currency": "paid_currency", "purchaseDate": "purchased_ms",
                "revocationDate": "revoked_ms",
            }),
        pl.scan_ndjson(f"{inbox}/receipts-{DATE}.jsonl", schema=receipts),
    )


def with_orders(paid, orders):
    """Each transaction with its order: by its token, else by the name in a credit or receipt."""
    found = orders.select(
        "order_id", "app_account_token", ordered_minor="amount_minor", ordered_currency="currency", buyer="account_id")
    paid = paid.with_columns(
        named=when(col("token").is_null()).then(pl.coalesce("credited_order", "reported_order")))
    by_token = paid.filter(col("token").is_not_null()).join(
        found, left_on="token", right_on="app_account_token", how="left")
    by_name = paid.filter(col("token").is_null()).join(
        found.drop("app_account_token").with_columns(named="order_id"), on="named", how="left")
    return pl.concat([by_token, by_name], how="diagonal").with_columns(
        account_id=pl.coalesce("buyer", "credited_account", "reported_account"))


def verdict():
    wrong_value = (col("ordered_minor") * 10 != col("paid_thousandths")) | (
        col("ordered_currency") != col("paid_currency"))
    is_production, is_credited = col("environment") == "Production", col("balance") > 0
    is_refunded = col("revoked_ms").is_not_null()
    return (
        when(is_credited & ~is_production).then(lit("credited_not_paid"))
        .when(is_credited & is_refunded).then(lit("refunded_not_reversed"))
        .when(col("balance") > 1).then(lit("credited_twice"))
        .when(is_production & ~is_refunded & (col("credits") == 0)).then(lit("paid_not_credited"))
        .when(wrong_value).then(lit("value_mismatch"))
        .otherwise(lit("matched"))
    )


def classify(orders, credits, transactions, receipts):
    quantity = when(col("kind") == "reversal").then(-col("quantity")).otherwise(col("quantity"))
    credited = credits.group_by("transaction_id").agg(
        credits=pl.len().cast(pl.Int64), balance=quantity.sum(), credited_order=col("order_id").min(),
        credited_account=col("account_id").min())
    reported = receipts.group_by("transaction_id").agg(
        receipts=pl.len().cast(pl.Int64), reported_order=col("order_id").min(),
        reported_account=col("account_id").min(), reported_product=col("product_id").min())
    credited, reported, transactions, orders = (
        frame.lazy() for frame in pl.collect_all([credited, reported, transactions, orders]))
    paid = transactions.join(credited, on="transaction_id", how="left").join(
        reported, on="transaction_id", how="left").with_columns(
        col("credits").fill_null(0), col("balance").fill_null(0), col("receipts").fill_null(0))
    paid = with_orders(paid, orders).with_columns(verdict=verdict())
    unpaid = credited.join(transactions, on="transaction_id", how="anti").with_columns(
        verdict=lit("credited_not_paid"), order_id="credited_order", account_id="credited_account",
        receipts=lit(0, pl.Int64))
    orphans = reported.join(transactions, on="transaction_id", how="anti").join(
        credited, on="transaction_id", how="anti").with_columns(
        verdict=lit("orphan_receipt"), order_id="reported_order", account_id="reported_account",
        product_id="reported_product", credits=lit(0, pl.Int64), balance=lit(0, pl.Int64))
    return pl.concat([paid, unpaid, orphans], how="diagonal").select(COLUMNS)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    night, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    purchases = classify(*read(night + "/inbox")).collect()
    findings = purchases.filter(col("verdict") != "matched").sort("verdict", "transaction_id")
    counts = dict(findings.group_by("verdict").len().iter_rows())
    findings.write_csv(out + "/findings.csv")
    write_workbook(out + "/findings.xlsx", findings.iter_rows(), counts)
    print_counts(counts)


main()
