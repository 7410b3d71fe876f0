extension Tables {
    /// 12–15.
    static let unpaid = """
        credited, and nobody knows a transaction       | O1; C1 O1
            | O1 credited_not_paid/no_transaction short=company effect=6.00CNY anchor=-10d action=investigate
        credited on a rejected receipt                 | O1; C1 O1; R1 O1 T9 =21003
            | O1 credited_not_paid/receipt_rejected
        credited on an unverified receipt              | O1; C1 O1; R1 O1 T9
            | O1 credited_not_paid/receipt_unverified action=verify_receipt
        credited on an accepted receipt                | O1; C1 O1; R1 O1 T9 =0
            | O1 credited_not_paid/no_transaction action=fetch_transaction
        whose data lacks what it claims                | O1 is:sword; C1 O1; R1 O1 T9 =0 lacksClaim
            | O1 credited_not_paid/not_in_receipt short=company effect=1.500KWD action=fetch_transaction
        whose data is forged                           | O1; C1 O1; R1 O1 T9 =0 forged
            | O1 credited_not_paid/not_in_receipt
        credited, and a consumable may be missing      | O1; C1 O1; R1 O1 T9 =0 lacksClaim
            | O1 credited_not_paid/no_transaction
        one that its data bears out outweighs it       | C1 T9; R1 T9 is:sword =0 lacksClaim; R2 T9 =0 listsClaim
            | R1 credited_not_paid/no_transaction duplicate_receipt
        an unverified one is never in question         | O1 is:sword; C1 O1; R1 O1 T9 lacksClaim
            | O1 credited_not_paid/receipt_unverified
        one that claims nothing denies nothing         | O1 is:sword; C1 O1; R1 O1 =0 lacksClaim
            | O1 credited_not_paid/no_transaction
        an order that says credited is credited        | O1 credited | O1 credited_not_paid/no_transaction credits=-
        the earliest credit left is its anchor         | O1; C1 O1 @-9d; C2 O1 @-8d; V1 O1
            | O1 credited_not_paid/no_transaction anchor=-9d
        worth the order's amount                       | O1 5.00CNY; C1 O1
            | O1 credited_not_paid/no_transaction amount=5.00CNY effect=5.00CNY
        a receipt alone, rejected                      | R1 T9 =21003 | R1 orphan_receipt/rejected action=none short=-
        its data lacks what it claims                  | R1 T9 is:sword =0 lacksClaim | R1 orphan_receipt/not_in_receipt
        a finished consumable may be missing           | R1 T9 is:coins =0 lacksClaim
            | R1 orphan_receipt/unknown_transaction action=fetch_transaction
        nobody verified it                             | R1 T9 =21005
            | R1 orphan_receipt/unverified action=verify_receipt
        nobody knows its transaction                   | R1 T9 =0
            | R1 orphan_receipt/unknown_transaction action=fetch_transaction
        it claims no transaction                       | R1 O1 =0; O1
            | O1 orphan_receipt/no_reference action=investigate
        accepted outweighs rejected                    | R1 T9 =21003; R2 T9 =0
            | R1 orphan_receipt/unknown_transaction duplicate_receipt
        a rejected one closes after receiptTTL         | R1 T9 =21003 @-30d | R1 closed/receipt_rejected
        not a millisecond before                       | R1 T9 =21003 @-30d+1ms | R1 orphan_receipt/rejected
        not where it was credited                      | R1 T9 =21003 @-30d; C1 T9
            | R1 credited_not_paid/receipt_rejected
        an unverified one never does                   | R1 T9 @-40d | R1 orphan_receipt/unverified
        the order says paid                            | O1 | O1 order_unverified anchor=-10d action=investigate
        the order says paid, its credit was taken back | O1; C1 O1; V1 O1 | O1 order_unverified
        the order failed                               | O1 failed | O1 closed/failed
        the order was cancelled                        | O1 cancelled | O1 closed/cancelled
        the order was refunded                         | O1 refunded | O1 closed/refunded
        the order was never paid                       | O1 created | O1 closed/never_paid
        a pending one neither                          | O1 pending | O1 closed/never_paid
        credited and taken back                        | C1 T9; V1 T9 | C1 closed/reversed
        an order credited and taken back               | O1 credited; V1 O1 | O1 closed/reversed
        taken back what was never given                | V1 T9 | V1 closed/reversed
        of two orders the latest created decides       | O1 @-11d failed T9; R1 T9 =0; O2 T9 5.00CNY
            | O1 orphan_receipt/unknown_transaction amount=5.00CNY
        """

    /// docs/spec/rules.md#receipt-checks.
    static let checks = """
        21003 is rejected                            | R1 T9 =21003 | R1 orphan_receipt/rejected
        21006 is rejected                            | R1 T9 =21006 | R1 orphan_receipt/rejected
        21010 is rejected                            | R1 T9 =21010 | R1 orphan_receipt/rejected
        21100 for good is rejected                   | R1 T9 =21100 final | R1 orphan_receipt/rejected
        21199 for good is rejected                   | R1 T9 =21199 final | R1 orphan_receipt/rejected
        21200 for good is not                        | R1 T9 =21200 final | R1 orphan_receipt/unverified
        21150 to be asked again is not               | R1 T9 =21150 retryable | R1 orphan_receipt/unverified
        21150 without a word is not                  | R1 T9 =21150 | R1 orphan_receipt/unverified
        0 is accepted                                | R1 T9 =0 | R1 orphan_receipt/unknown_transaction
        21002 is unverified                          | R1 T9 =21002 | R1 orphan_receipt/unverified action=verify_receipt
        21005 is unverified                          | R1 T9 =21005 | R1 orphan_receipt/unverified action=verify_receipt
        21009 is unverified                          | R1 T9 =21009 | R1 orphan_receipt/unverified
        21000 is our own fault                       | R1 T9 =21000 | R1 orphan_receipt/unverified action=fix_input
        21004 is our own fault                       | R1 T9 =21004 | R1 orphan_receipt/unverified action=fix_input
        21007 was asked in the wrong place           | R1 T9 =21007 | R1 orphan_receipt/unverified action=verify_receipt
        21008 was asked in the wrong place           | R1 T9 =21008 | R1 orphan_receipt/unverified action=verify_receipt
        a network's code is unverified               | R1 T9 =-1009 | R1 orphan_receipt/unverified action=verify_receipt
        no answer is unverified                      | R1 T9 | R1 orphan_receipt/unverified action=verify_receipt
        one that is not our fault can be asked again | R1 T9 =21000; R2 T9
            | R1 orphan_receipt/unverified duplicate_receipt action=verify_receipt
        """

    /// docs/spec/rules.md#grace.
    static let graces = """
        8: an hour from the purchase has passed        | O1 T1; T1 @-1h | T1 paid_not_credited/credit_failed anchor=-1h
        8: not a millisecond before                    | O1 T1; T1 @-1h+1ms
            | T1 waiting/paid_not_credited short=- action=wait effect=-6.00CNY
        now is as-of, where that is earlier            | set now:-1h; O1 T1; T1 @-2h; T2 @-2h+1ms
            | T1 paid_not_credited/credit_failed; T2 waiting/paid_not_credited
        the end of the date is the zone's              | set zone:America/New_York; O1 T1; T1 @-1h; T2 @-1h+1ms
            | T1 paid_not_credited/credit_failed; T2 waiting/paid_not_credited
        4: a day from the refund has passed            | O1 T1; T1 refunded@-24h; C1 O1
            | T1 refunded_not_reversed/not_reversed
        4: not a millisecond before                    | O1 T1; T1 refunded@-24h+1ms; C1 O1
            | T1 waiting/refunded_not_reversed anchor=-24h+1ms
        12: a week from the credit has passed          | O1; C1 O1 @-168h | O1 credited_not_paid/no_transaction
        12: not a millisecond before                   | O1; C1 O1 @-168h+1ms | O1 waiting/credited_not_paid
        12 of a rejected receipt: a day has passed     | O1; C1 O1 @-24h; R1 O1 T9 =21003
            | O1 credited_not_paid/receipt_rejected
        12 of a rejected receipt: not before           | O1; C1 O1 @-24h+1ms; R1 O1 T9 =21003
            | O1 waiting/credited_not_paid
        12 of data without its claim: a day has passed | O1 is:sword; C1 O1 @-24h; R1 O1 T9 =0 lacksClaim
            | O1 credited_not_paid/not_in_receipt
        12 of data without its claim: not before       | O1 is:sword; C1 O1 @-24h+1ms; R1 O1 T9 =0 lacksClaim
            | O1 waiting/credited_not_paid
        13: a day from the earliest receipt has passed | R1 T9 @-24h; R2 T9 @-1h
            | R1 orphan_receipt/unverified duplicate_receipt
        13: not a millisecond before                   | R1 T9 @-24h+1ms | R1 waiting/orphan_receipt
        14: a week from the order has passed           | O1 @-168h | O1 order_unverified
        14: not a millisecond before                   | O1 @-168h+1ms | O1 waiting/order_unverified
        15: three days from the order have passed      | O1 created @-72h | O1 closed/never_paid
        15: not a millisecond before                   | O1 created @-72h+1ms | O1 waiting/closed
        15: a failed order waits for nothing           | O1 failed @-1m | O1 closed/failed
        other verdicts wait for nothing                | O1 T1 @-1m; T1 @-1m; C1 O1 @-1m; C2 O1 @-1m
            | T1 credited_twice/two_credits
        a reversal waits a week for Apple's refund     | O1 T1; T1; C1 O1; V1 O1 @-168h+1ms
            | T1 waiting/paid_not_credited anchor=-168h+1ms
        then it is one without a refund                | O1 T1; T1; C1 O1; V1 O1 @-168h
            | T1 paid_not_credited/reversed_without_refund
        from the latest reversal                       | O1 T1; T1; C1 O1; C2 O1; V1 O1; V2 O1 @-1d
            | T1 waiting/paid_not_credited anchor=-1d
        a record signed after it settles it            | O1 T1; T1 signed@-1d+1ms; C1 O1; V1 O1 @-1d
            | T1 paid_not_credited/reversed_without_refund anchor=-10d
        one signed at its instant does not             | O1 T1; T1 signed@-1d; C1 O1; V1 O1 @-1d
            | T1 waiting/paid_not_credited
        nor does a receipt's line                      | O1 T1; T1 receiptline signed@-1h; C1 O1; V1 O1 @-1d
            | T1 waiting/paid_not_credited receipt_proof
        a purchase after the horizon waits             | O1 T1; T1 @+1h | T1 waiting/paid_not_credited
        an unverifiable one waits first                | O1 @-1h; T1 @-1h unverifiable; R1 O1 T1 @-1h
            | O1 waiting/orphan_receipt
        """

    /// docs/spec/rules.md#coverage.
    static let coverage = """
        8: credits missing since the purchase                  | set hole:credits@-3; O1 T1; T1
            | T1 undetermined/feed_missing short=- action=wait
        8: on the day of the purchase                          | set hole:credits@-9; O1 T1; T1
            | T1 undetermined/feed_missing
        8: on the day before it                                | set hole:credits@-10; O1 T1; T1
            | T1 paid_not_credited/credit_failed
        8: on the run's own day                                | set hole:credits@0; O1 T1; T1
            | T1 undetermined/feed_missing
        8: a millisecond decides the day                       | set hole:credits@-10; O1 T1; T1 @-10d-1ms
            | T1 undetermined/feed_missing
        8: the zone decides the day | set hole:credits@-10 zone:Asia/Shanghai; O1 T1; T1 @-10d-1ms; T2
            | T1 undetermined/feed_missing; T2 paid_not_credited/no_order
        8: another feed's hole proves nothing else, but holds the credit | set hole:orders@-3; O1 T1; T1
            | T1 paid_not_credited/credit_failed action=wait
        4: credits missing since the refund                    | set hole:credits@-3; O1 T1; T1 refunded@-5d; C1 O1
            | T1 undetermined/feed_missing
        4: missing before it                                   | set hole:credits@-6; O1 T1; T1 refunded@-5d; C1 O1
            | T1 refunded_not_reversed/not_reversed
        10: orders missing since the purchase                  | set hole:orders@-3; T1; C1 T1
            | T1 undetermined/feed_missing
        10: another feed's hole does not matter                | set hole:credits@-3; T1; C1 T1 | T1 order_missing
        12: transactions missing since the credit              | set hole:transactions@-3; O1; C1 O1
            | O1 undetermined/feed_missing
        13: transactions missing since the receipt             | set hole:transactions@-3; R1 T9 =0
            | R1 undetermined/feed_missing
        14: transactions missing since the order               | set hole:transactions@-3; O1
            | O1 undetermined/feed_missing
        15: a closed order needs no proof                      | set hole:transactions@-3; O1 failed | O1 closed/failed
        in grace, waiting comes first                          | set hole:credits@0; O1 T1; T1 @-1h+1ms
            | T1 waiting/paid_not_credited
        a refused receipt does not close unseen                | set hole:transactions@-3; R1 T9 =21003 @-30d
            | R1 undetermined/feed_missing
        credited twice needs no other proof                    | set hole:credits@-3; O1 T1; T1; C1 O1; C2 O1
            | T1 credited_twice/two_credits
        """

    /// docs/spec/rules.md#flags.
    static let flags = """
        credited an hour after the purchase is in time | O1 T1; T1; C1 O1 @-10d+1h | T1 matched
        a millisecond more is late                     | O1 T1; T1; C1 O1 @-10d+1h+1ms | T1 matched late_credit
        five minutes before the purchase are no skew   | O1 T1; T1; C1 O1 @-10d-5m | T1 matched
        a millisecond more is                          | O1 T1; T1; C1 O1 @-10d-5m-1ms | T1 matched clock_skew
        purchase and credit in different months        | O1 T1; T1 @-18d-1ms; C1 O1 @-18d | T1 matched cut_off
        the month is the zone's                        | set zone:Asia/Shanghai; O1 T1; T1 @-18d-1ms; C1 O1 @-18d
            | T1 matched cut_off
        both after its start                           | set zone:Asia/Shanghai; O1 T1; T1 @-18d; C1 O1 @-18d
            | T1 matched
        one transaction claimed by two accounts        | O1 T1; T1; C1 O1; R1 T1 =0; R2 T1 =0 by:b
            | T1 matched receipt_replayed
        one transaction claimed twice by one account   | O1 T1; T1; C1 O1; R1 T1 =0; R2 T1 =0
            | T1 matched duplicate_receipt
        the same receipt delivered twice is none       | O1 T1; T1; C1 O1; R1 T1 =0; R1 T1 =0 | T1 matched
        nor the same row without an id                 | O1 T1; T1; C1 O1; R T1 =0; R T1 =0 | T1 matched
        two rows without an id are two                 | O1 T1; T1; C1 O1; R T1 =0; R T1 =0 @-9d
            | T1 matched duplicate_receipt
        a free purchase                                | O1 T1; T1 0CNY; C1 O1 | T1 matched zero_price
        replayed without a purchase                    | R1 T9 =0; R2 T9 =0 by:b
            | R1 orphan_receipt/unknown_transaction; R2 orphan_receipt/unknown_transaction
        """

    /// docs/spec/rules.md#actions.
    static let actions = """
        a machine may credit a proven purchase of a known owner | O1 T1; T1
            | T1 paid_not_credited/credit_failed action=credit
        not one proven by a receipt alone                      | O1 T1; T1 receiptline
            | T1 paid_not_credited/credit_failed receipt_proof action=fetch_transaction
        not of an unknown owner                                | T1 | T1 paid_not_credited/no_order action=attribute
        not of two orders                                      | O1 T1; O2 T1; T1
            | T1 paid_not_credited/credit_failed action=investigate
        not of an order that goods were given for              | O1 T1; T1; C1 O1 T9
            | T1 paid_not_credited/credit_failed action=investigate; C1 credited_not_paid/no_transaction
        not while a feed is missing                            | set hole:transactions@-1; O1 T1; T1
            | T1 paid_not_credited/credit_failed action=wait
        an id that a receipt claims is fetched                 | R1 T9 =0
            | R1 orphan_receipt/unknown_transaction action=fetch_transaction
        an id that a credit claims is fetched                  | C1 T9
            | C1 credited_not_paid/no_transaction action=fetch_transaction
        one that only an order names is not                    | O1 T9 | O1 order_unverified action=investigate
        what is refused or waits is nobody's                   | R1 T9 =21003; O1 @-1h
            | R1 orphan_receipt/rejected action=none; O1 waiting/order_unverified action=wait
        an unverifiable one that is claimed is fetched         | R1 T1 =0; T1 unverifiable
            | T1 undetermined/unverifiable action=fetch_transaction
        """
}
