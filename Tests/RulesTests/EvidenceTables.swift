/// Scenarios in the notation of Tests/Reference/NOTATION.md: one table for each part of docs/spec/rules.md.
enum Tables {
    static let all = [
        copies, proofs, clients, cases, attribution, owners, suggestions, invalid, scope, refunds, partialRefunds,
        crossed,
        creditedTwice, notCredited, mismatches, unpaid, checks, graces, coverage, flags, actions,
    ]

    /// docs/spec/rules.md#versions.
    static let copies = """
        the same row again changes nothing                 | O1 T1; O1 T1; T1; C1 O1; C1 O1 | T1 matched
        a duplicated credit is one credit, not two         | O1 T1; T1; C1 O1 T1; C1 O1 T1; C1 O1 T1
            | T1 matched credits=C1
        a later updated_at is an update                    | O1 T1 failed upd@-9d; O1 T1 paid upd@-8d; T1
            | T1 paid_not_credited/credit_failed
        an earlier one does not count, whatever its status | O1 T1 paid upd@-8d; O1 T1 failed upd@-9d; T1
            | T1 paid_not_credited/credit_failed
        at the same updated_at the further status counts   | O1 T1 cancelled; O1 T1 paid; T1
            | T1 paid_not_credited/closed_order
        an absent updated_at is created_at                 | O1 T1 failed; O1 T1 paid upd@-10d+1ms; T1
            | T1 paid_not_credited/credit_failed
        another account is a conflict                      | O1; O1 by:b upd@-9d | O1 order_unverified conflict
        another product is a conflict                      | O1; O1 is:chest upd@-9d
            | O1 order_unverified conflict amount=30.00CNY
        another amount is a conflict                       | O1 6.00CNY; O1 5.00CNY upd@-9d
            | O1 order_unverified conflict amount=5.00CNY
        another currency is a conflict                     | O1 6.00CNY; O1 6.00USD upd@-9d
            | O1 order_unverified conflict amount=6.00USD
        an amount that was absent is no conflict           | O1; O1 5.00CNY upd@-9d | O1 order_unverified amount=5.00CNY
        other content that is not later is a conflict      | O1 x1; O1 x2 file:+1
            | O1 order_unverified conflict amount=12.00CNY
        then the later file date counts                    | O1 x2; O1 x1 file:+1
            | O1 order_unverified conflict amount=6.00CNY
        a duplicate makes nothing later                    | O1 x2; O1 x1 file:+1; O1 x2 file:+2
            | O1 order_unverified conflict amount=6.00CNY
        then the greater canonical bytes                   | O1 x1; O1 x2 | O1 order_unverified conflict amount=12.00CNY
        a further status at the same instant is an update  | O1 created; O1 paid | O1 order_unverified
        a credit changed in its account is a conflict      | O1 T1; T1; C1 O1; C1 O1 by:b @-9d
            | T1 credited_to_wrong_account conflict late_credit
        a transaction signed again is no conflict          | O1 T1; T1 signed@-9d; T1 signed@-8d 6.00CNY; C1 O1
            | T1 matched
        the newest signed record counts                    | O1 T1; C1 O1; T1 signed@-9d refunded@-9d; T1 signed@-8d
            | T1 matched
        at the same signed date the revoked copy counts    | T1 signed@-9d; T1 signed@-9d refunded@-9d
            | T1 closed/refunded
        a price that changes is a conflict                 | T1 signed@-9d 6.00CNY; T1 signed@-8d 7.00CNY
            | T1 paid_not_credited/no_order conflict amount=7.00CNY
        another product of a transaction gives nothing     | O1 T1; T1 signed@-9d; T1 is:chest signed@-8d
            | T1 paid_not_credited/credit_failed conflict records_disagree action=investigate
        nor does another quantity                          | O1 T1; T1 signed@-9d; T1 x10 signed@-8d
            | T1 paid_not_credited/credit_failed records_disagree action=investigate
        nor another token                                  | O1 T1; T1 tok:1 signed@-9d; T1 tok:2 signed@-8d
            | T1 paid_not_credited/credit_failed records_disagree action=investigate
        what one leaves out, another one says              | O1 T1; T1 tok:1 signed@-9d; T1 signed@-8d
            | T1 paid_not_credited/credit_failed action=credit
        but not another environment's copy                 | O1 T1; T1 sandbox tok:1 signed@-9d; T1 signed@-8d
            | T1 paid_not_credited/credit_failed records_disagree action=investigate
        nor a vouched one of a record that Apple signed    | O1 T1; T1 signed@-9d; T1 vouched tok:1 signed@-8d
            | T1 paid_not_credited/credit_failed records_disagree action=investigate
        such as the original                               | T1 is:sword of:T0; T2 is:sword of:T0 signed@-9d; T2 is:sword signed@-8d; C2 T2
            | T1 order_missing transactions=T1,T2
        or the line item                                   | T1 is:month line:L1; T2 is:month line:L1 signed@-9d; T2 is:month signed@-8d; C2 T2
            | T1 matched transactions=T1,T2
        nor are its goods taken back                       | T1 refunded@-8d signed@-8d; T1 x10 signed@-9d; C1 T1
            | T1 refunded_not_reversed/not_reversed records_disagree action=investigate
        only a subscription's period has a line item       | T1 line:L1 signed@-9d; T1 signed@-8d; T2 line:L1 signed@-9d; T2 signed@-8d; C2 T2
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 order_missing records_disagree
        two line items make the partner's goods doubtful   | T1 is:month line:L1; T2 is:month line:L1 signed@-9d; T2 is:month line:L2 signed@-8d; C2 T2
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 matched records_disagree
        and so do two originals                            | T1 is:sword of:T0; T2 is:sword of:T0 signed@-9d; T2 is:sword of:T3 signed@-8d; C2 T2
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 order_missing records_disagree
        an original that does not count joins no receipts  | T1 is:sword; T1 vouched is:sword of:T0 signed@-9d refunded@-9d; R1 T0 =0; R2 T0 by:b
            | T1 paid_not_credited/no_order refund_reported records_disagree; R1 orphan_receipt/unknown_transaction; R2 orphan_receipt/unverified
        and two types                                      | T1 is:mystery of:T0; T2 is:mystery of:T0 non_consumable signed@-9d; T2 is:mystery of:T0 consumable signed@-8d; C2 T2
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 order_missing records_disagree
        a later one may tell more                          | O1 T1; T1 signed@-9d; T1 tok:1 line:L1 of:T1 signed@-8d
            | T1 paid_not_credited/credit_failed action=credit
        another time of purchase is another purchase        | O1 T1; T1 signed@-9d; T1 @-9d signed@-8d
            | T1 paid_not_credited/credit_failed records_disagree action=investigate
        Apple's signature for another app is a doubt       | O1 T1; T1 vouched signed@-9d; T1 wrongBundle signed@-8d
            | T1 paid_not_credited/credit_failed forged_copy records_disagree action=investigate
        not about what Apple signed for this one           | O1 T1; T1 signed@-9d; T1 wrongBundle signed@-8d
            | T1 paid_not_credited/credit_failed forged_copy action=credit
        but an unproven copy does not speak against it     | O1 T1; T1 signed@-9d; T1 x10 unverifiable signed@-8d
            | T1 paid_not_credited/credit_failed action=credit
        a reversal under a credit's id is a conflict       | O1 T1; T1; C1 O1 T1 @-9d; C1 back O1 T1 @-8d
            | T1 paid_not_credited/reversed_without_refund conflict
        whatever environment is signed later in between    | O1 T1 x3; T1 x2 other; T1 x2 other signed@-9d; T1 x3; C1 O1
            | T1 matched conflict records_disagree
        an id that another account uploads is another's    | R1 T1 =0; R1 T1 =21003 by:b @-9d; T1
            | T1 paid_not_credited/no_order receipt_replayed receipts=R1,R1 owner=a
        bytes decide, not canonical equivalence            | O\u{E9} T1; Oe\u{301} T2; T1; T2
            | T1 paid_not_credited/credit_failed orders=O\u{E9}; T2 paid_not_credited/credit_failed orders=Oe\u{301}
        """

    /// docs/spec/rules.md#proof-rank.
    static let proofs = """
        a vouched record never replaces a verified one       | T1 signed@-9d; T1 vouched signed@-1d sandbox
            | T1 paid_not_credited/no_order
        a vouched refund is not hidden by an older record    | T1 signed@-9d; T1 vouched signed@-1d refunded@-2d
            | T1 closed/refunded
        nor is one without a signing date                    | T1 signed@-9d; T1 vouched refunded@-2d
            | T1 closed/refunded
        a verified record signed after it hides the refund   | T1 signed@-1d; T1 vouched signed@-5d refunded@-6d
            | T1 paid_not_credited/no_order
        no vouched copy ends the refund of another | O1 T1; T1 vouched signed@-3d refunded@-3d; T1 vouched signed@-2d
            | T1 paid_not_credited/credit_failed refund_reported action=investigate
        Apple's signature does                     | O1 T1; T1 vouched signed@-3d refunded@-3d; T1 signed@-2d
            | T1 paid_not_credited/credit_failed action=credit
        a later copy without it hides no refund    | O1 T1; T1 signed@-9d; T1 vouched signed@-3d refunded@-3d; T1 vouched signed@-2d
            | T1 paid_not_credited/credit_failed refund_reported action=investigate
        one that says more counts for nothing but a doubt | O1 T1; C1 O1; T1 signed@-9d; T1 vouched tok:1 signed@-3d refunded@-3d
            | T1 matched refund_reported records_disagree
        and one of another product hides no lost order | O1 T1; T1 signed@-9d; T1 vouched is:chest x9 signed@-3d refunded@-3d
            | T1 paid_not_credited/credit_failed conflict refund_reported records_disagree action=investigate
        a refund whose later record claims an earlier date is told | O1 T1; T1 vouched signed@-3d; T1 vouched signed@-4d refunded@-4d
            | T1 paid_not_credited/credit_failed refund_reported action=investigate
        an unverifiable copy never replaces a vouched one    | T1 vouched; T1 unverifiable signed@-1d refunded@-2d
            | T1 paid_not_credited/no_order
        a forged copy of a proven one is a flag              | T1; T1 badSignature signed@-1d
            | T1 paid_not_credited/no_order forged_copy
        a forged copy never replaces an unverifiable one     | T1 unverifiable; T1 badSignature signed@-1d
            | T1 undetermined/unverifiable forged_copy
        among equal proofs the configured environment counts | T1 sandbox signed@-1d; T1 signed@-9d
            | T1 paid_not_credited/no_order
        proof outranks environment                           | T1 sandbox; T1 vouched signed@-1d
            | T1 out_of_scope/sandbox
        a receipt's line is a verified transaction           | O1 T1; T1 receiptline; C1 O1 | T1 matched receipt_proof
        a record replaces a receipt's line | O1 T1; T1 receiptline signed@-1d; T1 signed@-9d 6.00CNY; C1 O1
            | T1 matched
        a vouched record replaces a receipt's line           | T1 receiptline; T1 vouched refunded@-9d
            | T1 closed/refunded
        a receipt's refund that no record knows is told      | O1 T1; T1 signed@-9d; T1 receiptline refunded@-2d
            | T1 paid_not_credited/credit_failed refund_reported action=investigate
        whether the goods were given or not                  | O1 T1; C1 O1; T1 signed@-9d; T1 receiptline refunded@-2d
            | T1 matched refund_reported
        not one before the record was signed again           | O1 T1; T1 signed@-1d; T1 receiptline refunded@-2d
            | T1 paid_not_credited/credit_failed action=credit
        an unverifiable transaction alone accuses nobody     | T1 unverifiable
            | T1 undetermined/unverifiable action=investigate
        an unverifiable transaction makes no purchase        | O1 T1; T1 unverifiable; C1 O1
            | O1 undetermined/unverifiable short=- orders=O1 credits=C1 transactions=T1
        an unverifiable one ties by its own id only          | T1 unverifiable line:L1; T2 line:L1
            | T1 undetermined/unverifiable; T2 paid_not_credited/no_order
        """

    /// docs/spec/rules.md#receipt-links.
    static let clients = """
        a receipt's pair ties                              | O1; R1 O1 T1; T1; C1 O1 | T1 matched orders=O1
        a rejected one, too                                | O1; R1 O1 T1 =21003; T1; C1 O1 | T1 matched orders=O1
        not another account's order                        | O1; R1 O1 T1 =0 by:b; T1; C1 O1
            | O1 credited_not_paid/no_transaction receipts=-
            | ; T1 paid_not_credited/no_order owner=b receipts=R1 action=investigate
        not an order that names another                    | O1 T2; R1 O1 T1 =0; T1; C1 O1
            | O1 credited_not_paid/no_transaction
            | ; T1 paid_not_credited/no_order owner=a action=investigate
        nor one that a credit gives to another             | O1; C1 O1 T2; R1 O1 T1 =0; T1; T2
            | T1 paid_not_credited/crossed_order; T2 matched
        not a purchase that another order names            | O1 by:b T1; O2; C1 O1 by:b; R1 O2 T1 =0; T1
            | T1 matched receipts=R1; O2 order_unverified receipts=-
        nor one that a credit gives to another order       | O1 by:b; O2; C1 O1 T1 by:b; R1 O2 T1 =0; T1
            | T1 matched receipts=R1; O2 order_unverified
        nor the purchase under its original's id | O1 by:b is:sword T1; O2 is:sword; R1 O2 T2 =0; T2 is:sword of:T1
            | T2 paid_not_credited/credit_failed receipts=R1 owner=b action=investigate; O2 order_unverified
        not one whose token is another's                   | O1; O9 tok:1 by:b @-30d; R1 O1 T1 =0; T1 tok:1
            | O1 order_unverified; O9 order_unverified; T1 paid_not_credited/no_order owner=b action=investigate
        not one that another account's accepted claims     | O1; R1 O1 T1 =0; R2 T1 =0 by:b; T1
            | O1 order_unverified; T1 paid_not_credited/no_order receipt_replayed owner=- action=attribute
        unless the token says whose it is       | O1 tok:1; R1 O1 T1 =0; R2 T1 =0 by:b; T1 tok:1; C1 O1
            | T1 matched receipt_replayed orders=O1
        another account's rejected one changes nothing     | O1; R1 O1 T1; R2 T1 =21003 by:b; T1; C1 O1
            | T1 matched receipt_replayed orders=O1
        two words of one account on an order are none      | O1; R1 O1 T1; R2 O1 T9 =21003; T1; C1 O1
            | O1 credited_not_paid/receipt_rejected; T1 paid_not_credited/receipt_unverified
        nor two on a purchase                              | O1; O2; R1 O1 T1; R2 O2 T1; T1; C1 O1
            | O1 credited_not_paid/no_transaction; O2 order_unverified
            | ; T1 paid_not_credited/receipt_unverified duplicate_receipt
        an accepted one stands beside them                 | O1; R1 O1 T1 =0; R2 O1 T9 =21003; T1; C1 O1
            | T1 matched orders=O1; R2 orphan_receipt/rejected
        one that says it twice is one word                 | O1; R1 O1 T1; R2 O1 T1 @-9d; T1; C1 O1
            | T1 matched duplicate_receipt orders=O1
        a receipt of a foreign order stands alone          | O1; R1 O1 T9 =0 by:b
            | O1 order_unverified; R1 orphan_receipt/unknown_transaction
        an unproven id ties one account's evidence only    | O1 T9; O2 T9 by:b; C1 T9; R1 T9 =0 by:b
            | O1 credited_not_paid/no_transaction credits=C1 receipts=-
            | ; O2 orphan_receipt/unknown_transaction receipts=R1
        no unaccepted receipt moves a credit to a payment   | O1 tok:1; R1 O1 T1; T1; C1 O1
            | O1 credited_not_paid/no_transaction credits=C1
            | ; T1 paid_not_credited/receipt_unverified owner=- receipts=R1 action=attribute
        nor the credit that a status implies                | O1 tok:1 credited; R1 O1 T1; T1
            | O1 credited_not_paid/no_transaction; T1 paid_not_credited/receipt_unverified owner=-
        but an accepted one does                            | O1 tok:1; R1 O1 T1 =0; T1; C1 O1 | T1 matched orders=O1
        and one that the purchase's token bears out         | O1 tok:1; R1 O1 T1; T1 tok:1; C1 O1 | T1 matched orders=O1
        without a credit it shows what was ordered          | O1 tok:1; R1 O1 T1; T1
            | T1 paid_not_credited/receipt_unverified orders=O1
        where no order has a token, it is all there is      | O1; R1 O1 T1; T1; C1 O1 | T1 matched orders=O1
        no receipt's word makes a machine give             | O1; R1 O1 T1; R2 O1 T9; T1 tok:1; O3 tok:1 @-30d; C1 O1
            | O1 credited_not_paid/receipt_unverified; O3 order_unverified
            | ; T1 paid_not_credited/receipt_unverified suggested_order owner=a action=investigate
        a token that too many orders carry ties nothing    | set tokens:order fanOut:2; O1 tok:1; O2 tok:1; O3 tok:1
            | O1 order_unverified; O2 order_unverified; O3 order_unverified
        nor one that some of them carried once             | set tokens:order fanOut:2; O1 tok:1; O2 tok:1; O3 tok:1; O3 tok:2 upd@-1d; T1 tok:1
            | O1 order_unverified; O2 order_unverified; O3 order_unverified records_disagree
            | ; T1 paid_not_credited/no_order owner=- action=attribute
        as many as may                                     | set tokens:order fanOut:2; O1 tok:1; O2 tok:1; T1 tok:1
            | T1 paid_not_credited/credit_failed orders=O1,O2
        """

    /// docs/spec/rules.md#links, docs/spec/rules.md#purchases.
    static let cases = """
        an order ties by the transaction it names           | O1 T1; T1; C1 O1
            | T1 matched orders=O1 credits=C1 transactions=T1
        a receipt ties order and transaction                | O1; R1 O1 T1 =0; T1; C1 O1
            | T1 matched orders=O1 receipts=R1
        a credit ties order and transaction                 | O1; C1 O1 T1; T1 | T1 matched orders=O1 credits=C1
        what shares nothing is apart                        | O1; T1
            | O1 order_unverified; T1 paid_not_credited/no_order
        0 and null are no ids                               | O1 T:0; O2 T:null; T1 of:0; R1 O:0 T:null =0
            | O1 order_unverified; O2 order_unverified; T1 paid_not_credited/no_order; R1 orphan_receipt/no_reference
        ids are text: leading zeros count                   | O1 T01; T1; T01
            | T01 paid_not_credited/credit_failed; T1 paid_not_credited/no_order
        two ids of one line are one purchase | T2 is:month line:L1 @-9d expires@20d; T1 is:month line:L1 expires@20d; O1 is:month T2; C1 O1
            | T1 matched transactions=T1,T2
        of equal dates the smaller id is the subject's      | T2 is:month line:L1; T1 is:month line:L1
            | T1 paid_not_credited/no_order transactions=T1,T2
        for two ids of one line either's revocation counts  | T1 is:month line:L1 expires@20d; T2 is:month line:L1 @-9d refunded@-8d expires@20d
            | T1 closed/refunded
        and one that Apple extended, if it signed both | T2 is:month line:L1 @-9d expires@20d; T1 is:month line:L1 expires@27d; O1 is:month T2; C1 O1
            | T1 matched transactions=T1,T2
        a line item alone does not join periods | T1 vouched is:month line:L1 expires@20d; T2 is:month line:L1 @-9d expires@-1d; C2 T2 @-9d
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 matched records_disagree
        nor products                                        | T1 is:month line:L1; T2 is:mystery line:L1; C2 T2
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 order_missing records_disagree
        nor two customers' subscriptions          | T1 is:month line:L1 of:T1; T2 is:month line:L1 of:T2; C2 T2
            | T1 paid_not_credited/no_order records_disagree action=investigate; T2 matched records_disagree
        what is no subscription has no line item            | T1 line:L1; T2 line:L1; C2 T2
            | T1 paid_not_credited/no_order; T2 order_missing
        a renewal does not join its predecessor             | T1 is:month; T2 is:month of:T1 @-5d
            | T1 paid_not_credited/no_order; T2 paid_not_credited/no_order
        a consumable's original id ties nothing             | T1; T2 of:T1
            | T1 paid_not_credited/no_order; T2 paid_not_credited/no_order
        a restored non-consumable is one purchase           | T1 is:sword; T2 is:sword of:T1 @-5d; O1 is:sword T1; C1 O1
            | T1 matched transactions=T1,T2
        two restores of one original are one purchase       | T3 is:sword of:T1 @-4d; T2 is:sword of:T1 @-5d
            | T2 paid_not_credited/no_order transactions=T2,T3
        the original's revocation counts                    | T1 is:sword refunded@-8d; T2 is:sword of:T1 @-5d
            | T1 closed/refunded
        and before a restore of its date and a smaller id   | T2 is:sword @-9d refunded@-8d; T1 is:sword of:T2 @-9d
            | T2 closed/refunded transactions=T1,T2
        without the original, any restore's does            | T3 is:sword of:T1 @-4d refunded@-3d; T2 is:sword of:T1 @-5d
            | T2 closed/refunded transactions=T2,T3
        a restore's revocation counts as well               | T1 is:sword; T2 is:sword of:T1 @-5d refunded@-4d
            | T1 closed/refunded
        also beside an original signed before it | T1 is:sword signed@-5d; T2 is:sword of:T1 @-5d refunded@-4d
            | T1 closed/refunded
        but not beside one that was signed later | T1 is:sword signed@-3d; T2 is:sword of:T1 @-5d refunded@-4d
            | T1 paid_not_credited/no_order
        an order of the original is the restore's           | O1 is:sword T1; T2 is:sword of:T1; C1 O1 is:sword T1
            | T2 matched orders=O1 credits=C1
        of unknown type, another original id is a restore   | T1 is:mystery; T2 is:mystery of:T1 @-5d
            | T1 paid_not_credited/no_order transactions=T1,T2
        of unknown type with an expiry date it is a renewal | T1 is:mystery; T2 is:mystery of:T1 @-5d expires@-1d
            | T1 paid_not_credited/no_order; T2 paid_not_credited/no_order
        the record's own type outranks the product list's   | T1; T2 of:T1 non_consumable @-5d
            | T1 paid_not_credited/no_order transactions=T1,T2
        tokens per account tie nothing                      | O1 tok:1 @-30d; T1 tok:1
            | O1 order_unverified; T1 paid_not_credited/no_order owner=a
        tokens per order tie                                | set tokens:order; O1 tok:1; T1 tok:1; C1 O1
            | T1 matched orders=O1
        without tokens they tie nothing and name nobody     | set tokens:none; O1 tok:1 @-30d; T1 tok:1
            | O1 order_unverified; T1 paid_not_credited/no_order owner=-
        an unverifiable transaction's token ties nothing    | set tokens:order; O1 tok:1; T1 tok:1 unverifiable
            | O1 order_unverified; T1 undetermined/unverifiable
        the orders of a purchase name it, else name none    | O1 T1; O2; C2 O2 T1; V2 O2 T1; T1; C1 O1
            | T1 matched orders=O1,O2
        what names an unproven id is a subject of its own   | O1 T1; T1; C1 O1 T1; R1 O1 T9 =0
            | T1 matched receipts=-; R1 orphan_receipt/unknown_transaction receipts=R1
        a credit for an unproven id is never another's      | O1 T1; T1; C1 O1 T9
            | T1 paid_not_credited/credit_failed; C1 credited_not_paid/no_transaction credits=C1
        an order of an unproven id keeps its credit | O1 T1; O2 T9; C1 O1 T9; T1; C2 O2
            | T1 paid_not_credited/credit_failed credits=- orders=O1
            | ; O2 credited_not_paid/no_transaction credits=C1,C2 orders=O2
        a case without purchase is its earliest order's     | O2 @-11d T9; O1 T9 | O2 order_unverified orders=O1,O2
        else its earliest receipt's                         | R1 T9 =0; C1 T9 @-11d
            | R1 credited_not_paid/no_transaction
        an order without a row is its credits' account's    | R1 O9 =0; C1 O9
            | R1 credited_not_paid/no_transaction receipts=R1
        else the credit's                                   | C2 O9; C1 O9 @-11d
            | C1 credited_not_paid/no_transaction credits=C1,C2
        """
}
