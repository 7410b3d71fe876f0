extension Tables {
    /// 1.
    static let invalid = """
        the signature does not hold         | T1 badSignature
            | T1 invalid_transaction/bad_signature short=- action=escalate
        the chain ends in no trusted root   | T1 untrustedChain | T1 invalid_transaction/untrusted_chain
        it is another app's                 | T1 wrongBundle | T1 invalid_transaction/wrong_bundle
        credited, the company is short      | O1 T1; T1 badSignature; C1 O1
            | T1 invalid_transaction/bad_signature short=company effect=6.00CNY orders=O1 credits=C1
        credited and taken back, nobody is  | O1 T1; T1 badSignature; C1 O1; V1 O1
            | T1 invalid_transaction/bad_signature short=- effect=0.00CNY
        its price is not believed           | T1 badSignature 9999.00CNY
            | T1 invalid_transaction/bad_signature amount=6.00CNY
        it comes before every other verdict | set history:-2; T1 badSignature sandbox shared refunded@-9d
            | T1 invalid_transaction/bad_signature family_shared
        it ties by its own id only          | T1 badSignature line:L1; T2 line:L1
            | T1 invalid_transaction/bad_signature; T2 paid_not_credited/no_order
        two forgeries never collapse | O1; R1 O1 T1; R2 O1 T2; T1 badSignature line:L1; T2 badSignature line:L1 @-9d
            | O1 order_unverified; T1 invalid_transaction/bad_signature; T2 invalid_transaction/bad_signature
        it never takes a paid one's credit  | O1; R1 O1 T1 =0; R2 O1 T2 =0; T1; T2 badSignature @-11d; C1 O1
            | T1 matched receipts=R1 credits=C1; T2 invalid_transaction/bad_signature short=- receipts=R2 credits=-
        """

    /// 2 and 3.
    static let scope = """
        family-shared is out of scope               | T1 shared | T1 out_of_scope/family_shared family_shared
        whatever its credits                        | O1 T1; T1 shared; C1 O1; C2 O1
            | T1 out_of_scope/family_shared family_shared
        sandbox, not credited                       | O1 T1; T1 sandbox | T1 out_of_scope/sandbox short=-
        sandbox, credited and taken back            | O1 T1; T1 sandbox; C1 O1; V1 O1 | T1 out_of_scope/sandbox
        xcode                                       | T1 xcode | T1 out_of_scope/xcode
        LocalTesting is xcode too                   | T1 localTesting | T1 out_of_scope/xcode
        an environment that nobody knows            | T1 other | T1 out_of_scope/other_environment
        production, where sandbox is configured     | set env:sandbox; T1 | T1 out_of_scope/other_environment
        sandbox, where sandbox is configured        | set env:sandbox; T1 sandbox | T1 paid_not_credited/no_order
        on the first day of history                 | set history:-9; T1 | T1 paid_not_credited/no_order
        a millisecond before it                     | set history:-9; T1 @-10d-1ms | T1 out_of_scope/before_history
        of a business date that depends on the zone | set history:-9 zone:Asia/Shanghai; T1; T2 @-10d-1ms
            | T1 paid_not_credited/no_order; T2 out_of_scope/before_history
        before history, whatever became of it | set history:-9; O1 T1; T1 @-11d; C1 O1; C2 O1; T2 @-11d refunded@-1d
            | T1 out_of_scope/before_history late_credit; T2 out_of_scope/before_history
        an order before history                     | set history:-9; O1 @-11d
            | O1 out_of_scope/before_history anchor=-11d
        a receipt before history                    | set history:-9; R1 T9 @-11d =0; C1 T9
            | R1 credited_not_paid/no_transaction
        a receipt alone before history              | set history:-9; R1 T9 @-11d =0 | R1 out_of_scope/before_history
        a credit before history                     | set history:-9; C1 T9 @-11d | C1 out_of_scope/before_history
        an unverifiable one before history          | set history:-9; T1 unverifiable @-11d
            | T1 out_of_scope/before_history
        a restore of an unknown purchase before the first night | set first:-9; T1 is:sword of:T0 @-11d
            | T1 out_of_scope/before_history
        of unknown type, it may be a renewal        | set first:-9; T1 is:mystery of:T0 @-11d
            | T1 paid_not_credited/no_order
        the original may be on record               | set first:-9; T0 is:sword @-11d; T1 is:sword of:T0 @-11d
            | T0 paid_not_credited/no_order transactions=T0,T1
        what was given for it counts                | set first:-9; T1 is:sword of:T0 @-11d; C1 T1 @-11d | T1 order_missing
        where the records begin earlier             | set first:-9 history:-20; T1 is:sword of:T0 @-11d
            | T1 paid_not_credited/no_order
        what is older than all files and all goods was served before | set first:-9; T1 @-11d; O2 T2; T2; C2 O2
            | T1 out_of_scope/before_history short=- action=none; T2 matched
        goods that are older are records, too       | set first:-9; T1 @-11d; O2 T2 @-12d; T2 @-12d; C2 O2 @-12d
            | T1 paid_not_credited/no_order; T2 matched
        goods before two weeks without any are none | set first:-9; T1 @-25d; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | T1 out_of_scope/before_history; T2 matched; T3 matched
        but a payment in that break is told, where orders are on record | set first:-9; O1 T1 @-24d; T1 @-24d; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | T1 paid_not_credited/credit_failed action=investigate; T2 matched; T3 matched
        even if its own was refused                 | set first:-9; O1 T1 @-24d failed; T1 @-24d; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | T1 paid_not_credited/closed_order action=investigate; T2 matched; T3 matched
        or it has none                              | set first:-9; T1 @-25d-1ms; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | T1 paid_not_credited/no_order; T2 matched; T3 matched
        between two orders of less than two weeks   | set first:-9; T1 @-18d; O9 @-24d by:z pending; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | O9 closed/never_paid; T1 paid_not_credited/no_order; T2 matched; T3 matched
        of a longer time there are none             | set first:-9; T1 @-18d; O9 @-24d-1ms by:z pending; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | O9 closed/never_paid; T1 out_of_scope/before_history; T2 matched; T3 matched
        nor do orders of today tell of then         | set first:-9; O1 T1; T1 @-18d; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | T1 out_of_scope/before_history; T2 matched; T3 matched
        nor one of before the oldest goods          | set first:-9; O1 T1 @-27d; T1 @-27d; O2 T2 @-26d; T2 @-26d; C2 O2 @-26d; O3 T3; T3; C3 O3
            | T1 out_of_scope/before_history; T2 matched; T3 matched
        of two weeks less a day they are            | set first:-9; T1 @-22d; O2 T2 @-23d; T2 @-23d; C2 O2 @-23d; O3 T3; T3; C3 O3
            | T1 paid_not_credited/no_order; T2 matched; T3 matched
        other goods bridge the time between | set first:-9; T1 @-35d; C1 O1 @-36d; C2 O2 @-23d; O3 T3; T3; C3 O3
            | T1 paid_not_credited/no_order; C1 credited_not_paid/no_transaction; C2 credited_not_paid/no_transaction; T3 matched
        an order's status tells of goods            | set first:-9; T1 @-11d; O2 T2 credited @-12d; T2 @-12d
            | T1 paid_not_credited/no_order; T2 matched status_only
        a version that does not count tells of them | set first:-9; T1 @-11d; O2 T2; T2; C2 O2 @-12d; C2 O2 @-10d
            | T1 paid_not_credited/no_order; T2 matched
        before any goods, nobody knows              | set first:-9; T1 @-11d | T1 paid_not_credited/no_order
        the first file's date is on record          | set first:-9; T1; O2 T2 @-5d; T2 @-5d; C2 O2 @-5d
            | T1 paid_not_credited/no_order; T2 matched
        what was given late is on record            | set first:-9; O1 T1 @-11d; T1 @-11d; C1 O1 @-9d
            | T1 matched late_credit
        and so is what was taken back               | set first:-9; T1 @-11d; V1 T1 @-9d; O2 T2; T2; C2 O2
            | T1 paid_not_credited/reversed_without_refund; T2 matched
        an old purchase's refund accuses nobody     | set first:-9; T1 @-11d refunded@-1d; O2 T2; T2; C2 O2
            | T1 out_of_scope/before_history; T2 matched
        each period has its own date | set first:-9; T1 is:month @-11d; T2 is:month of:T1 @-5d; O3 T3; T3; C3 O3
            | T1 out_of_scope/before_history; T2 paid_not_credited/no_order; T3 matched
        nobody knows of which type it is            | set first:-9; O1 T1; T1 is:mystery of:T0 @-11d; O2 T2; T2; C2 O2
            | T1 paid_not_credited/credit_failed action=investigate; T2 matched
        nor of when a restore is that Apple did not sign | set first:-9; O1 T1; T1 is:sword of:T0 vouched
            | T1 paid_not_credited/credit_failed action=investigate
        which a signed one says                     | set first:-9; O1 T1; T1 is:sword of:T0
            | T1 paid_not_credited/credit_failed action=credit
        credited from the sandbox                   | O1 T1; T1 sandbox; C1 O1
            | T1 credited_not_paid/sandbox short=company effect=6.00CNY anchor=-10d
        credited from xcode counts as sandbox       | O1 T1; T1 xcode; C1 O1 | T1 credited_not_paid/sandbox
        and from LocalTesting                       | O1 T1; T1 localTesting; C1 O1 | T1 credited_not_paid/sandbox
        credited from an unknown environment        | O1 T1; T1 other; C1 O1 | T1 credited_not_paid/other_environment
        there is no grace for it                    | O1 T1 @-1m; T1 sandbox @-1m; C1 O1 @-1m
            | T1 credited_not_paid/sandbox
        nor is it a refund's                        | O1 T1; T1 sandbox refunded@-9d; C1 O1
            | T1 credited_not_paid/sandbox
        before history comes first                  | set history:-9; O1 T1; T1 sandbox @-11d; C1 T1 @-11d
            | T1 out_of_scope/before_history
        """

    /// 4 and 5.
    static let refunds = """
        refunded and still credited                | O1 T1; T1 refunded@-5d; C1 O1
            | T1 refunded_not_reversed/not_reversed short=company effect=6.00CNY anchor=-5d action=reverse_credit
        credited after the refund                  | O1 T1; T1 refunded@-5d; C1 O1 @-5d+1ms
            | T1 refunded_not_reversed/credited_after_refund late_credit
        credited at the instant of the refund      | O1 T1; T1 refunded@-5d; C1 O1 @-5d
            | T1 refunded_not_reversed/not_reversed late_credit
        the last credit left decides               | O1 T1; T1 refunded@-5d; C1 O1; C2 O2 T1 @-4d; V1 O2 T1
            | T1 refunded_not_reversed/not_reversed
        all its credits are in excess              | O1 T1; T1 refunded@-5d; C1 O1; C2 O1
            | T1 refunded_not_reversed/not_reversed effect=12.00CNY
        its own revocation comes before its line's | O1 is:month T1; T1 is:month line:L1 expires@20d refunded@-3d; T2 is:month line:L1 expires@20d @-9d refunded@-5d; C1 O1
            | T1 refunded_not_reversed/not_reversed anchor=-3d
        refunded before it was ever credited       | O1 T1; T1 refunded@-5d | T1 closed/refunded
        refunded and reversed                      | O1 T1; T1 refunded@-5d; C1 O1; V1 O1 @-4d | T1 closed/refunded
        of two refunded, one was taken back        | O1 T1 x2; T1 x2 refunded@-5d; C1 O1 x2; V1 O1 x1 @-4d
            | T1 refunded_not_reversed/reversed_short short=company effect=6.00CNY anchor=-5d action=reverse_credit
        nothing says that a row was two pieces     | O1 T1 x2; T1 x2 refunded@-5d; C1 O1; V1 O1 x1 @-4d
            | T1 refunded_not_reversed/reversed_short effect=6.00CNY
        both were, by one row for two              | O1 T1 x2; T1 x2 refunded@-5d; C1 O1 x1; C2 O1 x1; V1 O1 x2 @-4d
            | T1 closed/refunded
        a reversal that does not say takes all     | O1 T1 x2; T1 x2 refunded@-5d; C1 O1 x2; V1 O1 @-4d
            | T1 closed/refunded
        pieces of another product do not count     | O1 T1 x2; T1 x2 refunded@-5d; C1 O1 x2; V1 O1 is:chest x1 @-4d
            | T1 closed/refunded
        nor where no quantity is compared | set compare:product; O1 T1 x2; T1 x2 refunded@-5d; C1 O1 x2; V1 O1 x1 @-4d
            | T1 closed/refunded
        a full refund by name                      | T1 refundFull@-5d | T1 closed/refunded
        no type and 100 % is a full refund         | T1 refunded:100000@-5d | T1 closed/refunded
        a prorated refund of 100 % is one too      | O1 T1; T1 refundProrated:100000@-5d; C1 O1; V1 O1
            | T1 closed/refunded
        a family's revocation moves no money       | O1 T1; T1 familyRevoke@-5d; C1 O1 | T1 matched
        a refund that was reversed is no refund    | O1 T1; T1 refunded@-5d signed@-5d; T1 signed@-3d; C1 O1
            | T1 matched
        a refund reversed, goods taken back        | O1 T1; T1 refunded@-9d signed@-9d; T1 signed@-3d; C1 O1; V1 O1 @-8d
            | T1 paid_not_credited/reversed_without_refund
        refunded comes before credited twice       | O1 T1; T1 refunded@-5d; C1 O1; C2 O1 by:b
            | T1 refunded_not_reversed/not_reversed
        """

    /// 4 and 8 for partial refunds.
    static let partialRefunds = """
        half of two refunded, half taken back    | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 x2; V1 O1 x1 @-4d
            | T1 matched partial_refund
        half of two refunded, nothing taken back | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 x2
            | T1 refunded_not_reversed/reversed_short partial_refund short=company effect=6.00CNY anchor=-5d
        half of two refunded, all taken back     | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 x2; V1 O1 x2 @-4d
            | T1 paid_not_credited/credited_short partial_refund short=customer effect=-6.00CNY action=investigate
        half of two refunded, never credited     | O1 T1 x2; T1 x2 refundProrated:50000@-5d
            | T1 paid_not_credited/credited_short partial_refund effect=-6.00CNY
        no whole piece is left, never credited   | O1 T1; T1 refundProrated:99999@-5d
            | T1 paid_not_credited/credited_short partial_refund action=investigate
        no type and less than 100 % is partial   | O1 T1 x2; T1 x2 refunded:50000@-5d; C1 O1 x2
            | T1 refunded_not_reversed/reversed_short partial_refund
        an unknown type is read like none        | O1 T1 x2; T1 x2 otherRefund:50000@-5d; C1 O1 x2
            | T1 refunded_not_reversed/reversed_short partial_refund
        a third is 33.333 %, and a whole piece   | O1 T1 x3; T1 x3 refundProrated:33333@-5d; C1 O1 x3
            | T1 refunded_not_reversed/reversed_short partial_refund short=company effect=6.00CNY
        which was taken back                     | O1 T1 x3; T1 x3 refundProrated:33333@-5d; C1 O1 x3; V1 O1 x1 @-4d
            | T1 matched partial_refund
        two thirds, rounded                      | O1 T1 x3; T1 x3 refundProrated:66667@-5d; C1 O1 x3; V1 O1 x1 @-4d
            | T1 refunded_not_reversed/reversed_short partial_refund effect=6.00CNY
        two thirds, truncated                    | O1 T1 x3; T1 x3 refundProrated:66666@-5d; C1 O1 x3; V1 O1 x3 @-4d
            | T1 paid_not_credited/credited_short partial_refund effect=-6.00CNY
        a seventh of seven, rounded              | O1 T1 x7; T1 x7 refundProrated:14286@-5d; C1 O1 x7; V1 O1 x1 @-4d
            | T1 matched partial_refund
        what is not whole is as if not revoked   | O1 T1 x3; T1 x3 refundProrated:33334@-5d; C1 O1 x3
            | T1 matched partial_refund
        a thousandth below a share neither       | O1 T1 x3; T1 x3 refundProrated:33332@-5d; C1 O1 x3
            | T1 matched partial_refund
        nearly all of one piece is not one       | O1 T1; T1 refundProrated:99999@-5d; C1 O1
            | T1 matched partial_refund
        an absent percentage too                 | O1 T1; T1 refundProrated@-5d; C1 O1 | T1 matched partial_refund
        then no credit is paid_not_credited      | O1 T1; T1 refundProrated@-5d
            | T1 paid_not_credited/credited_short partial_refund
        before credited twice                    | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 x2; C2 O1 x2
            | T1 refunded_not_reversed/reversed_short partial_refund effect=18.00CNY
        equal counts as net credits 1 | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 x1; C2 O1 x1; V1 O1 x1
            | T1 matched partial_refund
        equal, but to another account            | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 by:b x1
            | T1 credited_to_wrong_account partial_refund
        equal, whatever was given before         | O1 T1 x2; T1 x2 refundProrated:50000@-5d; C1 O1 x3; V1 O1 x2
            | T1 matched partial_refund
        two taken back for one, one given again  | O1 T1 x4; T1 x4 refundProrated:25000@-5d; C1 O1 x4; V1 O1 x2; C2 O1 x1
            | T1 matched partial_refund effect=0.00CNY
        but the order's quantity is compared     | O1 T1 x3; T1 x2 refundProrated:50000@-5d; C1 O1 x2; V1 O1 x1
            | T1 value_mismatch/quantity partial_refund short=-
        one of three rows taken back | O1 T1 x3; T1 x3 refundProrated:33333@-5d; C1 O1 x1; C2 O1 x1; C3 O1 x1; V1 O1
            | T1 matched partial_refund effect=0.00CNY
        0 % refunded is whole: less is short     | O1 T1 x2; T1 x2 refundProrated:0@-5d; C1 O1 x1
            | T1 paid_not_credited/credited_short partial_refund
        a grace runs from the refund             | O1 T1 x2; T1 x2 refundProrated:50000@-24h+1ms; C1 O1 x2
            | T1 waiting/refunded_not_reversed partial_refund
        """

    /// 8.
    static let notCredited = """
        reversed without a refund                    | O1 T1; T1; C1 O1; V1 O1 @-9d
            | T1 paid_not_credited/reversed_without_refund anchor=-9d short=customer effect=-6.00CNY action=investigate
        its order failed                             | O1 T1 failed; T1
            | T1 paid_not_credited/closed_order action=credit
        its order was cancelled                      | O1 T1 cancelled; T1 | T1 paid_not_credited/closed_order
        its order was refunded                       | O1 T1 refunded; T1 | T1 paid_not_credited/closed_order refund_reported action=investigate
        Apple signed it before the end of that file  | O1 T1 refunded upd@-9d file:-8; T1 signed@-8d
            | T1 paid_not_credited/closed_order refund_reported action=investigate
        Apple signed it afterwards                   | O1 T1 refunded upd@-9d file:-8; T1 signed@-8d+1ms
            | T1 paid_not_credited/closed_order action=credit
        the backend read it afterwards               | O1 T1 refunded upd@-9d file:-8; T1 vouched signed@-7d
            | T1 paid_not_credited/closed_order refund_reported action=investigate
        another of its orders was refunded           | O1 T1 refunded @-11d; O2 T1; T1
            | T1 paid_not_credited/credit_failed refund_reported action=investigate
        given, and its order was refunded            | O1 T1 refunded; T1; C1 T1 | T1 matched
        another plan replaced it                     | T1 is:month tok:1 upgraded; O9 tok:1
            | O9 order_unverified; T1 paid_not_credited/no_order refund_reported owner=a action=investigate
        given, and then replaced                     | O1 T1 is:month; T1 is:month upgraded; C1 T1 is:month | T1 matched
        a closed order comes before its receipt      | O1 T1 failed; T1; R1 T1 =21003
            | T1 paid_not_credited/closed_order
        the receipt was rejected                     | O1 T1; T1; R1 T1 =21003
            | T1 paid_not_credited/receipt_rejected action=credit
        the receipt was never verified               | O1 T1; T1; R1 T1 | T1 paid_not_credited/receipt_unverified
        a backend without codes, and genuine data    | O1 T1; T1; R1 T1 listsClaim
            | T1 paid_not_credited/credit_failed action=credit
        genuine data, and no order                   | T1; R1 T1 listsClaim | T1 paid_not_credited/no_order action=attribute
        genuine data, and the order is open          | O1 T1 pending; T1; R1 T1 listsClaim
            | T1 paid_not_credited/receipt_unverified
        genuine data, and another check failed       | O1 T1; T1; R1 T1 listsClaim; R2 T1 listsClaim =21005
            | T1 paid_not_credited/receipt_unverified duplicate_receipt
        accepted outweighs rejected                  | O1 T1 pending; T1; R1 T1 =21003; R2 T1 =0
            | T1 paid_not_credited/credit_failed duplicate_receipt
        rejected outweighs unverified                | O1 T1; T1; R1 T1 =21003; R2 T1 =21005
            | T1 paid_not_credited/receipt_rejected duplicate_receipt
        the order says paid                          | O1 T1; T1
            | T1 paid_not_credited/credit_failed action=credit short=customer effect=-6.00CNY owner=a
        the order says credited                      | O1 T1 credited; T1; C1 O1 T2; T2
            | T1 paid_not_credited/paid_twice; T2 order_missing credits=C1
        accepted while the order is open             | O1 T1 pending; T1; R1 T1 =0 | T1 paid_not_credited/credit_failed
        the order is open, the client never reported | O1 T1 created; T1 | T1 paid_not_credited/no_receipt
        pending is open too                          | O1 T1 pending; T1 | T1 paid_not_credited/no_receipt
        no order                                     | T1; R1 T1 =0
            | T1 paid_not_credited/no_order owner=a action=credit
        of two orders the latest created decides     | O1 T1 failed @-11d; O2 T1; T1
            | T1 paid_not_credited/credit_failed orders=O1,O2 action=investigate
        of equally old ones the greater id           | O1 T1; O2 T1 failed; T1 | T1 paid_not_credited/closed_order
        an order that names none is the purchase's   | O1 pending; R1 O1 T1; T1
            | T1 paid_not_credited/receipt_unverified orders=O1
        receipts that name none are the purchase's   | O1 T1; R1 O1 =21003; T1
            | T1 paid_not_credited/receipt_rejected receipts=R1
        unless one names it                          | O1 T1; R1 O1 =21003; R2 T1 =0; T1
            | T1 paid_not_credited/credit_failed receipts=R1,R2
        a subscription's renewal too                 | T1 is:month | T1 paid_not_credited/no_order
        a free one too                               | O1 T1; T1 0CNY
            | T1 paid_not_credited/credit_failed zero_price effect=0.00CNY
        """

    /// 8, one order paid for twice.
    static let paidTwice = """
        two receipts of one order, one delivery      | O1; T1; T2 @-9d; R1 O1 T1 =0; R2 O1 T2 =0; C1 O1
            | T1 matched credits=C1; T2 paid_not_credited/paid_twice action=investigate short=customer effect=-6.00CNY
        the delivery names the first payment         | O1; T1; T2 @-9d; R1 O1 T1 =0; R2 O1 T2 =0; C1 O1 T1
            | T1 matched credits=C1; T2 paid_not_credited/crossed_order
        two payments under one order's token         | set tokens:order; O1 tok:1; T1 tok:1; T2 tok:1 @-9d; C1 O1
            | T1 matched; T2 paid_not_credited/paid_twice owner=a
        the order names the first one                | set tokens:order; O1 T1 tok:1; T1 tok:1; T2 tok:1 @-9d; C1 O1
            | T1 matched orders=O1
            | ; T2 paid_not_credited/paid_twice owner=a orders=O1 action=investigate short=customer effect=-6.00CNY
        a credit names both for it                   | set tokens:order; O1 tok:1; T1 tok:1; T2 tok:1 @-9d; C1 O1 T1
            | T1 matched; T2 paid_not_credited/paid_twice owner=a orders=O1
        the second names the order in a receipt too  | set tokens:order; O1 T1 tok:1; T1 tok:1; T2 tok:1 @-9d; R1 O1 T2 =0; C1 O1
            | T1 matched; T2 paid_not_credited/paid_twice owner=a orders=O1
        nothing was given for the first one          | set tokens:order; O1 T1 tok:1; T1 tok:1; T2 tok:1 @-9d
            | T1 paid_not_credited/credit_failed; T2 paid_not_credited/no_order owner=- orders=- action=attribute
        the goods of the first were taken back       | set tokens:order; O1 T1 tok:1; T1 tok:1; T2 tok:1 @-9d; C1 O1; V1 O1
            | T1 paid_not_credited/reversed_without_refund; T2 paid_not_credited/no_order owner=- action=attribute
        the second has goods of its own              | set tokens:order; O1 T1 tok:1; T1 tok:1; T2 tok:1 @-9d; C1 O1; C2 T2 @-9d
            | T1 matched; T2 order_missing owner=- orders=-
        a renewal is a payment of its own            | set tokens:order; O1 is:month T1 tok:1; T1 is:month tok:1; T2 is:month of:T1 tok:1 @-9d; C1 O1 is:month
            | T1 matched; T2 paid_not_credited/no_order owner=a orders=O1 action=investigate short=customer
        tokens are the accounts'                     | O1 T1 tok:1; T1 tok:1; T2 tok:1 @-9d; C1 O1
            | T1 matched; T2 paid_not_credited/no_order owner=a action=credit
        the goods were taken back                    | O1; T1; T2 @-9d; R1 O1 T1 =0; R2 O1 T2 =0; C1 O1; V1 O1
            | T1 paid_not_credited/reversed_without_refund; T2 paid_not_credited/credit_failed
        no delivery                                  | O1; T1; T2 @-9d; R1 O1 T1 =0; R2 O1 T2 =0
            | T1 paid_not_credited/credit_failed; T2 paid_not_credited/credit_failed
        both were delivered                          | O1; T1; T2 @-9d; R1 O1 T1 =0; R2 O1 T2 =0; C1 O1; C2 O1 @-8d
            | T1 matched credits=C1; T2 matched credits=C2 late_credit
        it has a further order without goods         | O1; O2; T1; T2 @-9d; R1 O1 T1 =0; R2 O1 T2 =0; R3 O2 T2 =0; C1 O1
            | T1 matched credits=C1; T2 paid_not_credited/credit_failed duplicate_receipt
        """

    /// 8, crossed orders.
    static let crossed = """
        reported with another purchase's order       | O2 T2; T2; C2 O2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order action=investigate short=customer effect=-6.00CNY owner=a orders=-
            | ; T2 matched
        an order that is credited for another        | O2; T2; C2 O2 T2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order; T2 matched
        an order without a row, credited for another | T2; C2 O2 T2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order; T2 order_missing
        whose goods were taken back again            | O2; T2; C2 O2 T2; V2 O2 T2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order; T2 paid_not_credited/reversed_without_refund
        an order with another's token                | set tokens:order; O2 tok:2; T2 tok:2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order; T2 paid_not_credited/credit_failed
        two purchases under one order's token        | set tokens:order; O2 T2 tok:1; T2 tok:1; T1 tok:1; R1 O2 T1 =0
            | T1 paid_not_credited/crossed_order; T2 paid_not_credited/credit_failed
        an order by whose number the desk gave       | O2 tok:2 @-10d-1h; T2 tok:2; C2 O2 desk @-9d; R1 O2 T1 by:b; T1
            | T1 paid_not_credited/crossed_order owner=- action=investigate; T2 matched late_credit
        another purchase in the sandbox              | O2 T2; T2 sandbox; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order; T2 out_of_scope/sandbox
        the original of a restore is another         | O2 is:sword T2; T3 is:sword of:T2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/crossed_order; T3 paid_not_credited/credit_failed
        the restore of its own is not                | O2 is:sword T2; T2 is:sword; T3 is:sword of:T2; R1 O2 T3 =0
            | T2 paid_not_credited/credit_failed
        an order of a transaction without proof      | O2 T2; T2 unverifiable; R1 O2 T1 =0; T1
            | T1 paid_not_credited/no_order action=investigate; O2 undetermined/unverifiable
        an order of a forged transaction             | O2 T2; T2 badSignature; R1 O2 T1 =0; T1
            | T1 paid_not_credited/no_order action=investigate; T2 invalid_transaction/bad_signature
        an order that carries its own token only     | set tokens:order; O2 T9 tok:1; T1 tok:1; R1 O2 T1 =0
            | T1 paid_not_credited/no_order; O2 order_unverified
        an order that is nowhere                     | R1 O2 T1 =0; T1 | T1 paid_not_credited/no_order
        one of two orders is free                    | O2 T2; T2; O3 by:b; R1 O2 T1 =0; R2 O3 T1 =0; T1
            | T1 paid_not_credited/no_order duplicate_receipt action=investigate
            | ; T2 paid_not_credited/credit_failed; O3 order_unverified
        both belong to others                        | O2 T2; T2; O3 T3; T3; R1 O2 T1 =0; R2 O3 T1; T1
            | T1 paid_not_credited/crossed_order duplicate_receipt
            | ; T2 paid_not_credited/credit_failed; T3 paid_not_credited/credit_failed
        it has an order of its own                   | O1 T1; O2 T2; T2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/credit_failed action=investigate; T2 paid_not_credited/credit_failed
        what another account says does not count     | O9 tok:1 @-30d; O2 by:b T2; T2; R1 O2 T1 =0 by:b; T1 tok:1
            | T1 paid_not_credited/no_order owner=a action=investigate; O9 order_unverified
            | ; T2 paid_not_credited/credit_failed
        where nobody owns it, anybody's does         | O2 T2; T2; R1 O2 T1 =21003; T1
            | T1 paid_not_credited/crossed_order owner=- action=investigate; T2 paid_not_credited/credit_failed
        a receipt that claims nothing says nothing   | O2 T2; T2; R1 O2 =0; T1
            | T1 paid_not_credited/no_order; T2 paid_not_credited/credit_failed
        a closed order of its own comes first        | O1 T1 failed; O2 T2; T2; R1 O2 T1 =0; T1
            | T1 paid_not_credited/closed_order; T2 paid_not_credited/credit_failed
        a reversal comes first                       | O2 T2; T2; R1 O2 T1 =0; T1; C1 T1; V1 T1
            | T1 paid_not_credited/reversed_without_refund; T2 paid_not_credited/credit_failed
        credited, it is not crossed                  | O2 T2; T2; R1 O2 T1 =0; T1; C1 T1
            | T1 order_missing; T2 paid_not_credited/credit_failed
        known from a receipt alone                   | O2 T2; T2; R1 O2 T1 =0; T1 receiptline
            | T1 paid_not_credited/crossed_order receipt_proof action=fetch_transaction
            | ; T2 paid_not_credited/credit_failed
        too early                                    | O2 T2; T2; R1 O2 T1 =0; T1 @-30m
            | T1 waiting/paid_not_credited action=wait; T2 paid_not_credited/credit_failed
        """
}
