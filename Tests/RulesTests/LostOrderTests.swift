internal import Domain
internal import Matching
internal import Reference
internal import Rules
internal import Testing

/// How the lost-order rate counts a purchase: docs/spec/rules.md#lost-orders.
@Suite struct LostOrderTests {
    /// `outcome of T1, why | evidence |`; `-` is a purchase that does not count.
    private static let table = """
        within_hour, to the millisecond            | O1 T1; T1; C1 O1 @-10d+1h |
        within_hour, the backend's clock is behind | O1 T1; T1; C1 O1 @-10d-1m |
        within_day, a millisecond more             | O1 T1; T1; C1 O1 @-10d+1h+1ms |
        within_day, to the millisecond             | O1 T1; T1; C1 O1 @-9d |
        later, a millisecond more                  | O1 T1; T1; C1 O1 @-9d+1ms |
        by_hand, however soon                      | O1 T1; T1; C1 O1 T1 desk @-10d+1m |
        within_hour, a second credit by hand       | O1 T1; T1; C1 O1 @-10d+1m; C2 O1 T1 desk @-9d |
        within_hour, the status alone says so      | O1 T1 credited upd@-10d+1m; T1 |
        lost, nothing was given                    | O1 T1; T1 |
        lost, given and taken back                 | O1 T1; T1; C1 O1; V1 O1 @-9d |
        lost, given to another account             | O1 T1; T1; C1 O1 by:b |
        waiting, the grace has not passed          | O1 T1 @-5m; T1 @-5m |
        waiting, the credits of that day are missing | set hole:credits@-3; O1 T1; T1 |
        within_hour, refunded and taken back later | O1 T1; T1 refundFull@-5d; C1 O1 @-10d+1m; V1 O1 @-5d |
        -, refunded before the goods were given    | O1 T1; T1 refundFull@-5d |
        -, of another environment                  | O1 T1; T1 sandbox |
        -, not genuine                             | O1 T1; T1 badSignature; C1 O1 |
        -, not paid                                | O1; C1 O1 |
        """

    @Test(arguments: Scenario.table(table)) func aPurchaseIsCountedByHowItsGoodsCame(_ scenario: Scenario) {
        let wanted = scenario.sentence.prefix { $0 != "," }
        let found = outcomes(of: scenario)
        #expect(found.map(\.fulfilment.name) == (wanted == "-" ? [] : [String(wanted)]), "\(scenario.sentence)")
    }

    @Test func thePurchaseDateIsThatOfTheBusinessTimeZone() throws {
        let scenarios = Scenario.table(
            """
            UTC      | O1 T1; T1 @-10d-30m; C1 O1 @-10d |
            Shanghai | set zone:Asia/Shanghai; O1 T1; T1 @-10d-30m; C1 O1 @-10d |
            """)
        let dates = scenarios.flatMap(outcomes).map(\.date)
        #expect(dates == [BusinessDate("2025-11-08")!, BusinessDate("2025-11-08")!])
    }

    private func outcomes(of scenario: Scenario) -> [PurchaseOutcome] {
        var policy = scenario.policy
        _ = policy.facts.note(scenario.evidence)
        let copies = Versions(scenario.evidence, policy: policy)
        let owner = copies.tokenOwners
        let cases = CaseSet(copies, policy: policy, owner: owner)
        var file = Case()
        return (0..<cases.count).flatMap { number in
            cases.load(number, into: &file)
            return subjects(of: file, policy: policy, horizon: scenario.horizon, owner: owner).compactMap { subject in
                let judgement = Rules.judge(
                    Facts(subject: subject, file: file, policy: policy, horizon: scenario.horizon))
                return PurchaseOutcome(subject, judgement, in: file, policy: policy)
            }
        }
    }
}
