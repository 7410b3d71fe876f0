internal import Domain
internal import Reference
import Testing

@testable import Engine

@Suite struct SelfTestTests {
    @Test func allChecksPass() throws {
        let test = try SelfTest.run(threads: 2)
        #expect(test.failures == [])
        #expect(test.passed == test.total)
        #expect(test.total == SelfTestCase.all.count)
    }

    @Test func everyVerdictAndCauseHasACheck() {
        #expect(Set(SelfTestCase.all.map(\.ruling)).symmetricDifference(Verdict.allRulings).sorted() == [])
    }
}
