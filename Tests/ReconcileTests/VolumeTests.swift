import Foundation
import Testing

/// A night must find exactly the problems that were generated; otherwise, the benchmarks measure something else.
@Test(arguments: [1, 2, 3000]) func aNightFindsWhatWasGenerated(_ purchases: Int) throws {
    let folder = TestFolder()
    let expected = try generate("\(purchases) v --seed 3", in: folder)
    let ended = try Program.shell("$R nightly \(night) --dry-run --preview p", in: folder.path)
    #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
    var found: [String: Int] = [:]
    for row in try folder.read("p/exceptions.csv").split(separator: "\n").dropFirst() {
        found[String(row.split(separator: ",", omittingEmptySubsequences: false)[2]), default: 0] += 1
    }
    for (verdict, count) in expected { #expect(found.removeValue(forKey: verdict) ?? 0 == count, "\(verdict)") }
    #expect(found.isEmpty)
    #expect(purchases < 1000 || expected.values.allSatisfy { $0 > 0 })
}

@Test func aSettledNightHasNoExceptionAndSharesNoIdentifierWithAnotherSeed() throws {
    let folder = TestFolder()
    _ = try generate("2000 v --seed 98 --settled", in: folder)
    _ = try generate("2000 w --seed 99 --settled", in: folder)
    let ended = try Program.shell("$R nightly \(night) --dry-run --preview p", in: folder.path)
    #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
    #expect(try folder.read("p/exceptions.csv").split(separator: "\n").count == 1)
    // Orders: identifier and token. Credits: identifier and transaction.
    for (feed, columns) in [("orders", [0, 5]), ("credits", [0, 2])] {
        for column in columns {
            let first = Set(try rows(folder, "v", feed).map { $0[column] })
            let second = Set(try rows(folder, "w", feed).map { $0[column] })
            #expect(first.count > 1990 && first.isDisjoint(with: second), "\(feed), column \(column)")
        }
    }
}

private let night = "--config v/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z"

/// Runs the generator. Returns how many exceptions of each verdict a night must find.
private func generate(_ words: String, in folder: TestFolder) throws -> [String: Int] {
    let ended = try Program.shell("${R%/*}/SampleVolume \(words)", in: folder.path)
    #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
    let lines = ended.output.split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(uniqueKeysWithValues: try lines.map { (String($0[0]), try #require(Int($0[1]))) })
}

private func rows(_ folder: TestFolder, _ night: String, _ feed: String) throws -> [[Substring]] {
    try folder.read(night + "/inbox/" + feed + "-2025-11-18.csv").split(separator: "\n").dropFirst().map { row in
        row.split(separator: ",", omittingEmptySubsequences: false)
    }
}
