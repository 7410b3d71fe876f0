import Base
import Domain
import Glibc
import Synchronization
import Testing

/// Work done in pieces has the same result on any number of cores.
@Suite struct ConcurrencyTests {
    @Test(arguments: [1, 2, 5]) func partsAreJoinedInTheirOrder(threads: Int) {
        for _ in 0..<20 {
            let joined = OrderedReducer<[Int], [Int]>(into: []) { $0 += $1 }
            _ = concurrently(threads: threads, 200) { number in
                // From the last to the first: most parts have to wait for others.
                let part = 199 - number
                joined.add([part, -part], at: part)
            }
            let (whole, count) = joined.result()
            #expect(count == 200 && whole == (0..<200).flatMap { [$0, -$0] })
        }
    }

    @Test(arguments: [1, 3]) func elementsAreMappedAndFilteredInTheirOrder(threads: Int) {
        for count in [0, 1, 64, 1000] {
            #expect(concurrentMap(threads: threads, count, atOnce: 64) { $0 * 3 } == (0..<count).map { $0 * 3 })
            let even = concurrentFilter(threads: threads, count, atOnce: 64) { $0 % 2 == 0 }
            #expect(even == (0..<count).filter { $0 % 2 == 0 })
        }
    }

    /// Otherwise unwritten memory would be read, or another piece's memory overwritten.
    @Test(.enabled(if: getenv("EXIT_TESTS") != nil)) func aPieceIsHeldToItsOwnPlaces() async {
        await #expect(processExitsWith: .failure) {
            _ = concurrentMap(threads: 1, 4, atOnce: 2) { _, add in add(1) }
        }
        await #expect(processExitsWith: .failure) {
            _ = concurrentMap(threads: 1, 4, atOnce: 2) { _, add in for number in 0..<3 { add(number) } }
        }
    }
}
