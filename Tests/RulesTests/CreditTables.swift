extension Tables {
    /// docs/spec/rules.md#credit-attribution, docs/spec/rules.md#net-credits.
    static let attribution = """
        an order that says credited is a credit           | O1 T1 credited; T1 | T1 matched status_only credits=-
        a row without an order stands for its account's   | O1 T1; O2 T1 credited by:b; T1; C1 T1
            | T1 credited_twice/cross_account status_only credits=C1 orders=O1,O2
        an implicit credit happened at updated_at         | O1 T1 credited upd@-9d; T1
            | T1 matched late_credit status_only
        a credit row that names it takes its place        | O1 T1 credited; T1; C1 O1 | T1 matched credits=C1
        a credit row that names its transaction does too  | O1 T1 credited; T1; C1 T1 | T1 matched credits=C1
        so does one that names the purchase of its token  | set tokens:order; O1 credited tok:1; T1 tok:1; C1 T1
            | T1 matched credits=C1
        or another id of the order's own purchase         | O1 is:month T1 credited; T1 is:month line:L1; T2 is:month line:L1; C1 T2
            | T1 matched credits=C1
        two such rows are two deliveries                  | set tokens:order; O1 credited tok:1; T1 tok:1; C1 T1; C2 T1
            | T1 credited_twice/two_credits credits=C1,C2
        one to another account does not                   | set tokens:order; O1 credited tok:1; T1 tok:1; C1 T1 by:b
            | T1 credited_twice/cross_account status_only credits=C1
        nor one of another order                          | set tokens:order; O1 credited tok:1; T1 tok:1; C1 O2 T1
            | T1 credited_twice/two_orders status_only credits=C1
        nor one that a person gave                        | set tokens:order; O1 credited tok:1; T1 tok:1; C1 T1 desk
            | T1 credited_twice/desk_and_auto status_only credits=C1
        nor where the token has two payments | set tokens:order; O1 credited tok:1 upd@-9d; T1 tok:1; T2 tok:1 @-9d; C1 T1
            | T1 matched credits=C1; T2 matched status_only credits=-
        nor where a receipt links the order               | O1 credited; R1 O1 T1 =0; T1; C1 T1
            | T1 credited_twice/two_credits status_only credits=C1
        what it gave is taken back with it | set tokens:order; O1 credited tok:1; T1 tok:1 refunded@-9d; C1 T1; V1 T1 @-8d
            | T1 closed/refunded credits=C1,V1
        a credit row of another order does not            | O1 T1 credited; T1; C1 O2 T1
            | T1 credited_twice/two_orders status_only
        a reversal alone does not                         | O1 T1 credited; T1; V1 O1
            | T1 paid_not_credited/reversed_without_refund
        none is assumed where the credits feed is missing | set hole:credits@-4; O1 T1 credited upd@-4d-1h; T1 @-4d-2h
            | T1 undetermined/feed_missing
        one is assumed on the days around                 | set hole:credits@-4; O1 T1 credited upd@-3d; T1 @-3d
            | T1 matched status_only
        the named transaction outranks the order          | O1 T1; T1; O2 T2; T2 @-9d; C1 O1 T2 @-9d
            | T1 paid_not_credited/paid_twice; T2 matched credits=C1
        by its order: the earliest uncredited first       | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2 @-9d; C1 O1; C2 O1 @-9d
            | T1 matched credits=C1; T2 matched credits=C2
        a named credit counts first | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2 @-9d; C1 O1; C2 T1 @-9d-23h
            | T1 matched credits=C2; T2 matched credits=C1 clock_skew
        a third falls to the earliest                     | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2; C1 O1; C2 O1; C3 O1
            | T1 credited_twice/two_credits credits=C1,C3; T2 matched credits=C2
        not by a receipt, where the order names another   | O1 T1; T1; R1 O1 T2 =0; T2 @-11d; C1 O1
            | T1 matched credits=C1; T2 paid_not_credited/crossed_order credits=-
        nor where a credit of it does                     | O1; C1 O1 T1; C2 O1; T1; R1 O1 T2 =0; T2 @-11d
            | T1 credited_twice/two_credits credits=C1,C2; T2 paid_not_credited/crossed_order credits=-
        a word that two rows share ties no goods           | O1 T1; T1; C1 O9 T1 desk; C2 O9 desk by:b
            | T1 matched credits=C1; C2 credited_not_paid/no_transaction credits=C2
        nor a second piece | O1 T1 x2; T1 x2; C1 O9 T1 x1 desk; C2 O9 x1 desk
            | T1 value_mismatch/quantity credits=C1; C2 credited_not_paid/no_transaction credits=C2
        unless a row of the order tells | O1 T1; O9; T1; C1 O9 T1 desk; C2 O9 desk
            | T1 credited_twice/two_credits credits=C1,C2
        a reversal by a word takes back what has it       | O1 T1; T1; C1 O9 T1 desk; V1 O9
            | T1 paid_not_credited/reversed_without_refund credits=C1,V1
        the latest of the account                         | O1 T1; T1; C1 O9 T1 desk; C2 O9 desk @-9d; V1 O9 @-8d
            | T1 matched credits=C1; C2 closed/reversed credits=C2,V1
        and none of another account                       | O1 T1; T1; C1 O9 T1 desk; V1 O9 by:b
            | T1 matched credits=C1; V1 closed/reversed credits=V1
        nor of another product                            | O1 T1; T1; C1 O9 T1 desk is:coins; V1 O9 is:gems
            | T1 matched credits=C1; V1 closed/reversed credits=V1
        but an earlier one of its own                     | O1 T1; T1; C1 O9 T1 desk; C2 O9 desk is:gems @-11d; V1 O9 is:gems
            | T1 matched credits=C1; C2 closed/reversed credits=C2,V1
        and a gift before goods that are paid for         | O1 T1; T1; C1 O9 T1 desk; C2 O9 desk @-11d; V1 O9 @-8d
            | T1 matched credits=C1; C2 closed/reversed credits=C2,V1
        but first the goods that were refunded
            | O1 T1; O2 T2; T1 refunded@-8d; T2; C1 O9 T1 desk; C2 O9 T2 desk @-9d; C3 O9 desk @-8d; V1 O9 @-7d
            | T1 closed/refunded credits=C1,V1; T2 matched late_credit credits=C2; C3 credited_not_paid/no_transaction credits=C3
        of one order, too, the product counts             | O1 T1; T1; C1 O1 T1 is:coins @-9d; C2 O1 T1 is:gems; V1 O1 T1 is:gems
            | T1 matched late_credit credits=C1,C2,V1
        without a row of the order, it may be a piece     | T1 x2; C1 O9 T1 x1; C2 O9 x1 desk; C3 O9 x1 desk @-9d
            | T1 order_missing credits=C1,C2; C3 credited_not_paid/no_transaction credits=C3
        not of another account                            | T1 x2; C1 O9 T1 x1; C2 O9 x1 by:b
            | T1 value_mismatch/quantity credits=C1; C2 credited_not_paid/no_transaction credits=C2
        nor of another product                            | T1 x2; C1 O9 T1 x1; C2 O9 x1 is:gems
            | T1 value_mismatch/quantity credits=C1; C2 credited_not_paid/no_transaction credits=C2
        not to one of another environment                 | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2 sandbox @-11d; C1 O1
            | T1 matched credits=C1; T2 out_of_scope/sandbox credits=-
        not to one refunded before                        | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2 refunded@-10d-1h @-11d; C1 O1
            | T1 matched credits=C1; T2 closed/refunded credits=-
        not to one bought later                           | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2 sandbox @-11d; C1 O1 @-10d-6m
            | T1 paid_not_credited/credit_failed credits=-; T2 credited_not_paid/sandbox credits=C1 late_credit
        a tied reversal cancels there | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2; C1 T1; C2 T2 @-9d by:b; V1 O1 by:b
            | T1 matched credits=C1; T2 paid_not_credited/reversed_without_refund credits=C2,V1
        a reversal cancels a credit                       | O1 T1; T1; C1 O1; C2 O1; V1 O1 | T1 matched
        of the same account only                          | O1 T1; T1; C1 O1; C2 O1 by:b; V1 O1 by:b
            | T1 matched credits=C1,C2,V1
        of another account it counts against the net      | O1 T1; T1; C1 O1; V1 O1 by:b
            | T1 paid_not_credited/reversed_without_refund
        of the same order, else the latest | O1 T1; O2; T1; C1 O1 T1; C2 O2 T1 @-9d desk; C3 T1 @-8d; V1 O1 T1; V2 T1
            | T1 matched orders=O1,O2 late_credit
        net 1 of two credits and a foreign reversal       | O1 T1; T1; C1 O1; C2 O1; V1 O1 by:c | T1 matched
        credits count in rows whatever their quantity     | O1 T1; T1; C1 O1 x1; C2 O1 x0 | T1 matched
        2 × 1 for a quantity of 2 is one credit           | O1 T1 x2; T1 x2; C1 O1 x1; C2 O1 x1 | T1 matched
        1 + 2 for a quantity of 2 is not                  | O1 T1 x2; T1 x2; C1 O1 x1; C2 O1 x2
            | T1 credited_twice/two_credits
        none given is the purchase's                      | O1 T1 x2; T1 x2; C1 O1; C2 O1 x1
            | T1 credited_twice/two_credits
        2 × 1 for a quantity of 3 lacks one | O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 x1
            | T1 value_mismatch/quantity short=customer effect=-6.00CNY action=investigate
        by desk and job too | O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 x1 desk | T1 value_mismatch/quantity short=customer
        and under two orders | O1 T1 x3; O2 T1 x3; T1 x3; C1 O1 x1; C2 O2 x1 | T1 value_mismatch/quantity short=customer
        one of them was somebody else's | O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 by:b x1
            | T1 credited_to_wrong_account short=customer action=investigate
        one of them was another product | O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 is:chest x1
            | T1 value_mismatch/product action=investigate
        2 × 2 for a quantity of 3 is one too many | O1 T1 x3; T1 x3; C1 O1 x2; C2 O1 x2
            | T1 credited_twice/two_credits short=company effect=6.00CNY
        a day without credits may hold the third | set hole:credits@-3; O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 x1
            | T1 undetermined/feed_missing short=- action=wait
        where no quantity is compared, rows count | set compare:product; O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 x1
            | T1 credited_twice/two_credits effect=18.00CNY
        unless they are exactly what was bought | set compare:product; O1 T1 x2; T1 x2; C1 O1 x1; C2 O1 x1 | T1 matched
        one of three rows taken back, without a quantity | O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 x1; C3 O1 x1; V1 O1
            | T1 value_mismatch/quantity short=customer effect=-6.00CNY
        all three taken back in one row | O1 T1 x3; T1 x3; C1 O1 x1; C2 O1 x1; C3 O1 x1; V1 O1 x3
            | T1 paid_not_credited/reversed_without_refund effect=-18.00CNY action=investigate
        all taken back, by a row for more than its credit | O1 T1 x3; T1 x3; C1 O1 x2; C2 O1 x1; V1 O1 x3
            | T1 paid_not_credited/reversed_without_refund effect=-18.00CNY
        four for two, two taken back in one row | O1 T1 x2; T1 x2; C1 O1 x1; C2 O1 x1; C3 O1 x1; C4 O1 x1; V1 O1 x2
            | T1 matched effect=0.00CNY
        two of four taken back and given again | O1 T1 x4; T1 x4; C1 O1 x4; V1 O1 x2; C2 O1 x2 | T1 matched effect=0.00CNY
        one taken back, and all given again | O1 T1 x3; T1 x3; C1 O1 x3; V1 O1 x1; C2 O1 x3
            | T1 value_mismatch/quantity short=company effect=12.00CNY
        both taken back one by one, then given at once | O1 T1 x2; T1 x2; C1 O1 x2; V1 O1 x1; V2 O1 x1; C2 O1 x2 | T1 matched effect=0.00CNY
        five of ten in two rows, given again in one | O1 T1 x10; T1 x10; C1 O1 x10; V1 O1 x2; V2 O1 x3; C2 O1 x5
            | T1 matched effect=0.00CNY
        given twice, taken back one by one | O1 T1 x2; T1 x2; C1 O1 x2; C2 O1 x2; V1 O1 x1; V2 O1 x1
            | T1 matched effect=0.00CNY
        with one too many | O1 T1 x3; T1 x3; C1 O1 x3; V1 O1 x1; V2 O1 x1; C2 O1 x3
            | T1 value_mismatch/quantity short=company effect=6.00CNY
        with one too few | O1 T1 x3; T1 x3; C1 O1 x3; V1 O1 x1; V2 O1 x1; C2 O1 x1
            | T1 paid_not_credited/reversed_without_refund effect=-6.00CNY
        given again by a row without a quantity | O1 T1 x2; T1 x2; C1 O1 x2; V1 O1 x1; V2 O1 x1; C2 O1
            | T1 paid_not_credited/reversed_without_refund
        given again to somebody else | O1 T1 x2; T1 x2; C1 O1 x2; V1 O1 x1; V2 O1 x1; C2 O1 by:b x2
            | T1 paid_not_credited/reversed_without_refund
        all of it somebody else's | O1 T1 x2; T1 x2; C1 O1 by:b x2; V1 O1 by:b x1; V2 O1 by:b x1; C2 O1 by:b x2
            | T1 paid_not_credited/reversed_without_refund
        given again as another product | O1 T1 x2; T1 x2; C1 O1 x2; V1 O1 x1; V2 O1 x1; C2 O1 is:chest x2
            | T1 paid_not_credited/reversed_without_refund
        no quantity compared | set compare:product; O1 T1 x2; T1 x2; C1 O1 x2; V1 O1 x1; V2 O1 x1; C2 O1 x2
            | T1 paid_not_credited/reversed_without_refund
        all was refunded | O1 T1 x2; T1 x2 refunded@-5d; C1 O1 x2; V1 O1 x1 @-4d; V2 O1 x1 @-4d; C2 O1 x2 @-3d
            | T1 refunded_not_reversed/reversed_short effect=12.00CNY
        an order says refunded, and he has all | O1 T1 x2 refunded; T1 x2; C1 O1 x2; V1 O1 x1; V2 O1 x1; C2 O1 x2
            | T1 matched
        2 × 1 less a foreign reversal is none             | O1 T1 x2; T1 x2; C1 O1 x1; C2 O1 x1; V1 O1 by:b x1
            | T1 paid_not_credited/reversed_without_refund
        """

    /// 6 and 7.
    static let creditedTwice = """
        two credits to two accounts           | O1 T1; T1; C1 O1; C2 O1 by:b desk
            | T1 credited_twice/cross_account short=company
        to two ids of the purchase | T1 is:sword; T2 is:sword of:T1 @-9d; O1 is:sword T1; C1 O1 T1; C2 T2 desk
            | T1 credited_twice/restored_as_new
        by desk and job                       | O1 T1; T1; O2 T1; C1 O1; C2 O2 desk
            | T1 credited_twice/desk_and_auto action=reverse_credit
        under two orders                      | O1 T1; T1; O2 T1; C1 O1; C2 O2 | T1 credited_twice/two_orders
        under one order                       | O1 T1; T1; C1 O1; C2 O1
            | T1 credited_twice/two_credits effect=6.00CNY anchor=-10d
        three credits are two too many        | O1 T1; T1; C1 O1; C2 O1; C3 O1
            | T1 credited_twice/two_credits effect=12.00CNY
        a reversed second credit is none      | O1 T1; T1; C1 O1; C2 O1 by:b; V1 O1 by:b | T1 matched
        before wrong account                  | O1 T1; T1; C1 O1 by:b; C2 O1 by:b
            | T1 credited_twice/two_credits owner=a
        the credit went to another account    | O1 T1; T1; C1 O1 by:b
            | T1 credited_to_wrong_account short=customer effect=-6.00CNY action=investigate
        an unknown owner accuses nobody       | T1; C1 T1 by:b | T1 order_missing owner=-
        wrong account comes before a mismatch | O1 T1 x2; T1; C1 O1 by:b | T1 credited_to_wrong_account
        """

    /// docs/spec/rules.md#owner.
    static let owners = """
        the account whose orders carry its token      | O1 tok:1 @-30d; T1 tok:1; O2 T1 by:b; C1 O2
            | O1 order_unverified; T1 matched owner=a
        a token of several decides nothing | O1 tok:1 @-30d; O2 tok:1 by:b @-30d; O3 T1 by:c; T1 tok:1; C1 O3 by:c
            | O1 order_unverified; O2 order_unverified; T1 matched owner=-
        but an order with it does | O1 tok:1 @-30d; O2 tok:1 by:b @-30d; O3 T1 tok:1 by:c; T1 tok:1; C1 O3 by:c
            | O1 order_unverified; O2 order_unverified; T1 matched owner=c
        nor one whose order came to another account | O1 tok:1 @-30d; O1 tok:1 by:b @-30d upd@-29d; T1 tok:1
            | O1 order_unverified conflict; T1 paid_not_credited/no_order owner=- action=attribute
        then no order that failed decides | O1 tok:1 @-30d; O1 tok:1 by:b @-30d upd@-29d; O2 T1 by:z failed; T1 tok:1
            | T1 paid_not_credited/closed_order owner=- action=attribute; O1 order_unverified conflict
        nor one without the token | O1 tok:1 @-30d; O1 tok:1 by:b @-30d upd@-29d; O2 T1 by:z; T1 tok:1
            | T1 paid_not_credited/credit_failed owner=- action=attribute; O1 order_unverified conflict
        both that an order of one account carried decide | O1 tok:2 @-30d; O1 tok:1 @-30d upd@-29d; T1 tok:1; T2 tok:2
            | O1 order_unverified; T1 paid_not_credited/no_order owner=a action=credit; T2 paid_not_credited/no_order owner=a action=credit
        an order without its token had it, too | O1 tok:1 @-30d; O1 @-30d upd@-29d; O2 tok:1 by:b @-30d; T1 tok:1
            | O1 order_unverified; O2 order_unverified; T1 paid_not_credited/no_order owner=- action=attribute
        one that is known later than its order decides | O1 @-30d; O1 tok:1 @-30d upd@-29d; T1 tok:1
            | O1 order_unverified; T1 paid_not_credited/no_order owner=a action=credit
        tokens per order that change give nothing | set tokens:order; O1 tok:1; O1 tok:2 upd@-9d; O2 by:b; O2 tok:1 by:b upd@-9d; T1 tok:1
            | T1 paid_not_credited/credit_failed records_disagree orders=O1,O2 action=investigate
        nor for the payment that the order names | set tokens:order; O1 T2 tok:1; T2; C1 O1; O1 T2 tok:2 upd@-9d; O2 tok:1 by:b; T1 tok:1
            | T1 paid_not_credited/credit_failed records_disagree owner=b action=investigate; T2 matched records_disagree
        an order keeps the token that it lacks later | set tokens:order; O1 tok:1; O1 upd@-9d; O2 tok:1 by:b @-11d; T1 tok:1
            | T1 paid_not_credited/credit_failed orders=O1,O2 action=investigate
        a token that no order carries decides nothing | T1 tok:2; O3 T1 by:c; C1 O3 by:c | T1 matched owner=c
        tokens per order name no account              | set tokens:order; O1 tok:1 by:b; T1 tok:1; C1 O1 by:b
            | T1 matched owner=b
        the earliest order tied by itself             | O2 T1 by:b; O1 T1 @-11d; T1; C1 O1 | T1 matched owner=a
        first those with its token                    | set tokens:order; O2 T1 tok:2 by:b @-11d; O1 T1 tok:1; T1 tok:1; C1 O1 T1
            | T1 matched owner=a
        none with another token                       | set tokens:order; O1 tok:1 @-30d; O2 T1 tok:2 by:z; T1 tok:3
            | O1 order_unverified; T1 paid_not_credited/credit_failed owner=- action=attribute
        with tokens per account neither               | O1 tok:1 @-30d; O2 T1 tok:2 by:z; T1 tok:3
            | O1 order_unverified; T1 paid_not_credited/credit_failed owner=- action=attribute
        nor one without that is open                  | O1 tok:1 @-30d; O2 T1 by:z pending; T1 tok:3
            | O1 order_unverified; T1 paid_not_credited/no_receipt owner=- action=attribute
        nor one that was refused                      | set tokens:order; O1 tok:1 @-30d; O2 T1 by:z failed; T1 tok:3
            | O1 order_unverified; T1 paid_not_credited/closed_order owner=- action=attribute
        one without that was accepted does            | O1 tok:1 @-30d; O2 T1 by:z; T1 tok:3
            | O1 order_unverified; T1 paid_not_credited/credit_failed owner=z action=credit
        a renewal has the first order's token         | set tokens:order; O1 T1 is:month tok:1 by:z; C1 T1 by:z; T1 is:month tok:1; O2 T2 is:month tok:2 by:z; T2 is:month of:T1 tok:1
            | T1 matched; T2 paid_not_credited/credit_failed owner=z
        not with tokens per account                   | O1 T1 is:month by:z; C1 T1 by:z; T1 is:month tok:1; O2 T2 is:month tok:2 by:z; T2 is:month of:T1 tok:1
            | T1 matched; T2 paid_not_credited/credit_failed owner=- action=attribute
        which is not another account's                | set tokens:order; O1 T1 is:month tok:1; C1 T1; T1 is:month tok:1; O2 T2 is:month by:z; T2 is:month of:T1 tok:1
            | T1 matched; T2 paid_not_credited/credit_failed owner=- action=attribute
        even if an order copied it                    | set tokens:order; O1 T1 is:month tok:1; C1 T1; T1 is:month tok:1; O2 T2 is:month tok:1 by:z; T2 is:month of:T1 tok:1
            | T1 matched; T2 paid_not_credited/credit_failed owner=- action=attribute
        nor one that was refused and copied it        | set tokens:order; O2 T2 is:month tok:1 by:z failed; T2 is:month of:T1 tok:1
            | T2 paid_not_credited/closed_order owner=- action=attribute
        unless it is of the same account              | set tokens:order; O1 T1 is:month tok:1; C1 T1; T1 is:month tok:1; O2 T2 is:month tok:1; T2 is:month of:T1 tok:1
            | T1 matched; T2 paid_not_credited/credit_failed owner=a action=credit
        without tokens in orders, purchases' say nothing | O2 T1 by:z failed; T1 tok:3
            | T1 paid_not_credited/closed_order owner=z action=credit
        failed and cancelled ones last                | O2 T1 by:b @-11d failed; O3 T1 by:c @-12d cancelled; O1 T1; T1; C1 O1
            | T1 matched owner=a
        unless there is none else                     | O1 T1 failed; T1; C1 O1 | T1 matched owner=a
        or through a credit                           | O1 by:b; C1 O1 T1 by:b; T1 | T1 matched owner=b
        a receipt ties no owner                       | O1 by:b; R1 O1 T1; T1
            | O1 order_unverified; T1 paid_not_credited/receipt_unverified owner=- action=attribute
        two accepted receipts are contested           | R1 T1 =0 by:b @-9d; R2 T1 =0 by:c @-8d; T1
            | T1 paid_not_credited/no_order receipt_replayed owner=- action=attribute
        one accepted receipt's account                | R1 T1 =0 by:b @-9d; R2 T1 =21003 by:c @-8d; T1
            | T1 paid_not_credited/no_order receipt_replayed owner=b action=investigate
        not where a token says it is somebody's       | O1 tok:1 @-30d; R1 T1 =0 by:b; T1 tok:2
            | O1 order_unverified; T1 paid_not_credited/no_order owner=- action=attribute
        nor where no order is known                   | R1 T1 =0 by:b; T1 tok:2
            | T1 paid_not_credited/no_order owner=- action=attribute
        unless there are orders and none carries any  | O1 @-30d; R1 T1 =0 by:b; T1 tok:2
            | O1 order_unverified; T1 paid_not_credited/no_order owner=b action=investigate
        nor where orders of several carry it          | O1 tok:1 @-30d; O2 tok:1 by:c @-30d; R1 T1 =0 by:b; T1 tok:1
            | O1 order_unverified; O2 order_unverified; T1 paid_not_credited/no_order owner=- action=attribute
        a token per order names somebody, too         | set tokens:order; O1 tok:1 @-30d; R1 T1 =0 by:b; T1 tok:2
            | O1 order_unverified; T1 paid_not_credited/no_order owner=- action=attribute
        a rejected receipt makes no owner             | R1 T1 =21003; T1 | T1 paid_not_credited/receipt_rejected owner=-
        nor one whose data lacks its claim            | R1 T1 =0 lacksClaim; T1 | T1 paid_not_credited/no_order owner=-
        an order outranks a receipt                   | O1 T1 by:b; R1 T1 =0; T1; C1 O1 by:b | T1 matched owner=b
        """

    /// docs/spec/rules.md#suggestions.
    static let suggestions = """
        an unused order of owner and product, within a day before | O1 tok:1 pending @-10d-24h; T1 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/no_order suggested_order suggests=O1
        older than the window                                  | O1 tok:1 pending @-10d-24h-1ms; T1 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/no_order suggests=-
        at the instant of the purchase                         | O1 tok:1 pending; T1 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/no_order suggested_order suggests=O1
        not after the purchase                                 | O1 tok:1 pending @-10d+1ms; T1 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/no_order
        of another product                                     | O1 is:chest tok:1 pending; T1 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/no_order
        of another account                                     | O1 by:b pending; R1 T1 =0; T1
            | O1 closed/never_paid; T1 paid_not_credited/no_order
        two candidates are ambiguous                           | O1 tok:1 pending; O2 tok:1 pending; T1 tok:1
            | O1 closed/never_paid; O2 closed/never_paid
            | ; T1 paid_not_credited/no_order ambiguous_order action=investigate
        two purchases for one order are ambiguous              | O1 tok:1 pending; T1 tok:1; T2 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/no_order ambiguous_order
            | ; T2 paid_not_credited/no_order ambiguous_order suggests=-
        a suggested order that was refunded                    | O1 tok:1 refunded; T1 tok:1
            | O1 closed/refunded; T1 paid_not_credited/no_order suggested_order action=investigate suggests=O1
        before Apple signed a record without a refund          | O1 tok:1 refunded file:-8; T1 tok:1 signed@-8d+1ms
            | O1 closed/refunded; T1 paid_not_credited/no_order suggests=- action=credit
        before the payment                                     | O1 tok:1 refunded @-12d file:-12; T1 tok:1
            | O1 closed/refunded; T1 paid_not_credited/no_order suggests=- action=credit
        goods given by the number of a suggested order         | O1 tok:1; C1 O1; T1 tok:1
            | O1 credited_not_paid/no_transaction; T1 paid_not_credited/no_order suggested_order action=investigate
        an order that says credited likewise                   | O1 tok:1 credited; T1 tok:1
            | O1 credited_not_paid/no_transaction; T1 paid_not_credited/no_order suggested_order action=investigate
        not what was given before the purchase                 | O1 tok:1 @-10d-3h; C1 O1 @-10d-2h; T1 tok:1
            | O1 credited_not_paid/no_transaction; T1 paid_not_credited/no_order action=credit
        goods given by the desk belong to the purchase         | O1 tok:1; C1 O1 desk @-9d; T1 tok:1
            | T1 matched late_credit orders=O1 credits=C1
        and the machine must not have given them               | O1 tok:1; C1 O1 desk @-9d; C2 T1; T1 tok:1
            | T1 credited_twice/desk_and_auto late_credit credits=C1,C2
        not goods given to another account                     | O1 tok:1; C1 O1 desk by:b @-9d; T1 tok:1
            | O1 credited_not_paid/no_transaction; T1 paid_not_credited/no_order suggested_order action=investigate
        nor where two purchases may be meant                   | O1 tok:1; C1 O1 desk @-9d; T1 tok:1; T2 tok:1
            | O1 credited_not_paid/no_transaction; T1 paid_not_credited/no_order ambiguous_order action=investigate
            | ; T2 paid_not_credited/no_order ambiguous_order action=investigate
        nor where two orders may be                            | O1 tok:1; C1 O1 desk @-9d; O2 tok:1 pending; T1 tok:1
            | O1 credited_not_paid/no_transaction; O2 closed/never_paid
            | ; T1 paid_not_credited/no_order ambiguous_order action=investigate
        a receipt that was not accepted uses no order          | O1 tok:1 pending; R1 O1 T9; T1 tok:1
            | O1 orphan_receipt/unverified; T1 paid_not_credited/no_order suggested_order
        an accepted one does                                   | O1 tok:1 pending; R1 O1 T9 =0; T1 tok:1
            | O1 orphan_receipt/unknown_transaction; T1 paid_not_credited/no_order
        an order whose receipt names none is not               | O1 tok:1 pending; R1 O1; T1 tok:1
            | O1 orphan_receipt/unverified; T1 paid_not_credited/no_order suggested_order
        an order that names a transaction is used              | O1 tok:1 T9; T1 tok:1
            | O1 order_unverified; T1 paid_not_credited/no_order
        an id that was used long before is open again          | O1 tok:1 pending; C1 O1 T9 @-11d-1ms; T9 tok:2 @-11d-1ms; T1 tok:1
            | T9 matched; T1 paid_not_credited/no_order suggested_order suggests=O1
        but not by a clock that differs by a day               | O1 tok:1 pending; C1 O1 T9 @-11d; T9 tok:2 @-11d; T1 tok:1
            | T9 matched; T1 paid_not_credited/no_order suggests=-
        what is tied asks for none                             | O1 tok:1 pending; O2 T1; T1 tok:1
            | O1 closed/never_paid; T1 paid_not_credited/credit_failed
        never while nobody must act                            | O1 tok:1 pending @-1h; T1 tok:1 @-1h+1ms
            | O1 waiting/closed; T1 waiting/paid_not_credited suggests=-
        an order missing gets one too                          | O1 tok:1 pending; T1 tok:1; C1 T1
            | O1 closed/never_paid; T1 order_missing suggested_order
        """

    /// 9, 10 and 11.
    static let mismatches = """
        the order's product differs                    | O1 T1 is:chest; T1; C1 O1
            | T1 value_mismatch/product short=company effect=24.00CNY action=investigate
        the credit's product differs                   | O1 T1 is:chest; T1 is:chest; C1 O1 is:coins
            | T1 value_mismatch/product short=customer effect=-24.00CNY
        a product without a price is short for nobody  | O1 T1 is:mystery; T1; C1 O1
            | T1 value_mismatch/product short=- effect=-
        the order's quantity differs                   | O1 T1 x3; T1; C1 O1
            | T1 value_mismatch/quantity short=company effect=12.00CNY
        the credit's quantity differs                  | O1 T1 x2; T1 x2; C1 O1 x1
            | T1 value_mismatch/quantity short=customer effect=-6.00CNY
        five instead of one were given                 | O1 T1; T1; C1 O1 x5
            | T1 value_mismatch/quantity short=company effect=24.00CNY
        three times one for two                        | O1 T1 x2; T1 x2; C1 O1 x1; C2 O1 x1; C3 O1 x1
            | T1 credited_twice/two_credits short=company effect=6.00CNY
        another product, whatever the price paid       | O1 T1 5.00CNY; T1 5.00CNY; C1 O1 is:chest
            | T1 value_mismatch/product short=company effect=25.00CNY
        in another currency by the list's proportion   | O1 T1 1.00USD; T1 1.00USD; C1 O1 is:chest
            | T1 value_mismatch/product short=company effect=4.00USD
        a chest is no order of coins                   | O1 T1 is:chest; T1; C1 O1 is:coins
            | T1 value_mismatch/product short=- effect=0.00CNY
        the order's amount before a foreign list's     | O1 T1 0.99USD; T1; C1 O1 | T1 matched amount=0.99USD
        the currency differs                           | O1 T1 6.00USD; T1 6.00CNY; C1 O1
            | T1 value_mismatch/currency short=- effect=-
        the amount differs                             | O1 T1 30.00CNY; T1 6.00CNY; C1 O1
            | T1 value_mismatch/amount short=company effect=24.00CNY
        the customer paid more                         | O1 T1 6.00CNY; T1 30.00CNY; C1 O1
            | T1 value_mismatch/amount short=customer effect=-24.00CNY
        product comes first                            | O1 T1 is:chest x2 5.00USD; T1 6.00CNY; C1 O1
            | T1 value_mismatch/product
        an absent price is the product list's          | O1 T1 5.00CNY; T1; C1 O1
            | T1 value_mismatch/amount effect=-1.00CNY
        the list's for the whole quantity              | O1 T1 x2 12.00CNY; T1 x2; C1 O1 | T1 matched amount=12.00CNY
        else nothing is compared                       | set list:none; O1 T1 5.00CNY; T1; C1 O1
            | T1 matched amount=5.00CNY
        0 is a real price                              | O1 T1 6.00CNY; T1 0CNY; C1 O1
            | T1 value_mismatch/amount zero_price
        a price is the total, never multiplied         | O1 T1 x2 12.00CNY; T1 x2 12.00CNY; C1 O1 | T1 matched
        yen have no decimals                           | O1 T1 is:gems 120JPY; T1 is:gems 120JPY; C1 O1
            | T1 matched amount=120JPY
        dinars have three                              | O1 T1 is:sword 1.500KWD; T1 is:sword 1.500KWD; C1 O1
            | T1 matched amount=1.500KWD
        a fil more is a mismatch                       | O1 T1 is:sword 1.501KWD; T1 is:sword 1.500KWD; C1 O1
            | T1 value_mismatch/amount effect=0.001KWD
        an order without amount is not compared        | O1 T1; T1 6.00CNY; C1 O1 | T1 matched
        compare may leave the product out              | set compare:amount; O1 T1 is:chest x2; T1; C1 O1 is:gems
            | T1 matched
        or the amount | set compare:product,quantity,currency; O1 T1 5.00CNY; T1 6.00CNY; C1 O1
            | T1 matched
        or the currency | set compare:product,quantity,amount; O1 T1 5.00USD; T1 6.00CNY; C1 O1
            | T1 matched
        the order that a credit left names is compared | O1 T1 x2; O2 T1 @-9d; T1; C1 O1 | T1 value_mismatch/quantity
        else the latest created                        | O1 T1 x2; O2 T1 @-9d; T1; C1 T1 | T1 matched
        a reversed credit is not compared              | O1 T1; T1; C1 O1 is:chest; V1 O1; C2 T1 | T1 matched
        no order row                                   | T1; C1 T1 | T1 order_missing short=- action=investigate
        not of an auto-renewable subscription          | T1 is:month; C1 T1 | T1 matched
        a non-renewing one has an order                | T1 is:season; C1 T1 | T1 order_missing
        of unknown type too                            | T1 is:mystery; C1 T1 | T1 order_missing
        with an expiry date it is a subscription       | T1 is:mystery expires@-1d; C1 T1 | T1 matched
        an order that has no row is missing            | T1; C1 O9 T1 | T1 order_missing
        all agrees                                     | O1 T1 6.00CNY; T1 6.00CNY; C1 O1 is:coins x1; R1 T1 =0
            | T1 matched effect=0.00CNY short=- action=none
        """
}
