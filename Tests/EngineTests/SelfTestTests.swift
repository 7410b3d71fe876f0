internal import Domain
internal import Testing

@testable import Engine

@Suite struct SelfTestTests {
    @Test func allChecksPass() throws {
        let test = try SelfTest.run(threads: 2)
        #expect(test.failures == [])
        #expect(test.passed == test.total)
        #expect(test.total == SelfTestCase.all.count)
    }

    @Test func everyVerdictAndCauseHasACheck() {
        let planted = Set(SelfTestCase.all.map(\.ruling))
        let verdicts = Set(planted.map { String($0.split(separator: "/")[0]) })
        #expect(verdicts == Set(Verdict.allCases.map(\.rawValue)))
        let causes = Set(planted.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) })
        #expect(causes == Set(Cause.allCases.map(\.rawValue)).subtracting([""]))
    }
}
