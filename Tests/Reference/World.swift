package import Domain

/// One delivered file: rows of one kind, in order.
package struct WorldFile: Sendable {
    package var kind: FeedKind
    package var fileDate: BusinessDate
    package var evidence: Evidence

    /// The number of rows.
    package var rows: Int {
        evidence.orders.count + evidence.credits.count + evidence.transactions.count + evidence.receipts.count
    }
}

/// All that a run may find: files of raw rows, versions and duplicates included, and the settings of the rules.
package struct World: Sendable {
    package var seed: UInt64
    package var files: [WorldFile]
    package var policy: Policy
    package var horizon: Horizon

    /// All rows, file after file.
    package var evidence: Evidence { files.evidence }

    package var verdicts: [ReferenceVerdict] { judge(evidence, policy: policy, horizon: horizon).verdicts }
}

extension [WorldFile] {
    /// All rows, file after file, each knowing the file and line that it came from.
    package var evidence: Evidence {
        var all = Evidence()
        for (index, file) in enumerated() {
            func source(_ line: Int) -> Provenance {
                Provenance(delivery: DeliveryID(Int32(index + 1)), line: Int32(line + 1), fileDate: file.fileDate)
            }
            var rows = file.evidence
            for line in rows.orders.indices { rows.orders[line].source = source(line) }
            for line in rows.credits.indices { rows.credits[line].source = source(line) }
            for line in rows.transactions.indices { rows.transactions[line].source = source(line) }
            for line in rows.receipts.indices { rows.receipts[line].source = source(line) }
            all.append(rows)
        }
        return all
    }
}

extension World {
    /// The same rows with the files, and the rows within each file, in another order:
    /// docs/spec/rules.md#order-independence.
    package func shuffled(seed: UInt64) -> World {
        var random = SplitMix64(seed: seed)
        var copy = self
        for index in copy.files.indices {
            copy.files[index].evidence.orders.shuffle(using: &random)
            copy.files[index].evidence.credits.shuffle(using: &random)
            copy.files[index].evidence.transactions.shuffle(using: &random)
            copy.files[index].evidence.receipts.shuffle(using: &random)
        }
        copy.files.shuffle(using: &random)
        return copy
    }

    /// The same rows, distributed at random over `nights` nights. Each row keeps its file's date.
    package func splitIntoNights(_ nights: Int, seed: UInt64) -> [[WorldFile]] {
        var random = SplitMix64(seed: seed)
        var result = Array(repeating: [WorldFile](), count: nights)
        for file in files {
            var parts = Array(
                repeating: WorldFile(kind: file.kind, fileDate: file.fileDate, evidence: Evidence()), count: nights)
            func night() -> Int { Int.random(in: 0..<nights, using: &random) }
            for row in file.evidence.orders { parts[night()].evidence.orders.append(row) }
            for row in file.evidence.credits { parts[night()].evidence.credits.append(row) }
            for row in file.evidence.transactions { parts[night()].evidence.transactions.append(row) }
            for row in file.evidence.receipts { parts[night()].evidence.receipts.append(row) }
            for index in 0..<nights where parts[index].rows > 0 { result[index].append(parts[index]) }
        }
        return result
    }

    /// One of its files is delivered a second time, a day later.
    package func withDuplicateFile(seed: UInt64) -> World {
        guard !files.isEmpty else { return self }
        var random = SplitMix64(seed: seed)
        var copy = self
        var again = random.pick(files)
        again.fileDate = again.fileDate.advanced(by: 1)
        copy.files.append(again)
        return copy
    }
}
