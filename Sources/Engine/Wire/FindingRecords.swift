internal import Foundation
public import Matching

// The objects of the lines of findings. See docs/spec/cluster.md#wire.

/// An observation, and the keys of all evidence of its case.
struct ObservedCase: MemberRecord {
    var observation: Observation
    var keys: [SubjectKey]?

    static var blank: Self {
        Self(
            observation: Observation(
                caseID: 0,
                judgement: Judgement(subject: SubjectKey(.order, .absent), verdict: .matched, anchor: .absent),
                facts: nil, aliases: [], news: []))
    }

    mutating func describe(_ members: inout Members) {
        members.list("aliases", &observation.aliases)
        members.value("amount", &observation.amount)
        members.value("caseKeys", &keys)
        members.value("cause", &observation.cause)
        members.value("facts", &observation.facts)
        members.value("id", &observation.id)
        members.value("isLaterPeriod", &observation.isLaterPeriod)
        members.value("isLifetime", &observation.isLifetime)
        members.value("isRenewal", &observation.isRenewal)
        members.value("isTokenShared", &observation.isTokenShared)
        members.list("news", &observation.news)
        members.value("purchasedAt", &observation.purchasedAt)
        members.value("retry", &observation.retry)
        members.value("subject", &observation.subject)
        members.list("tokens", &observation.tokens)
        members.value("verdict", &observation.verdict)
    }
}

extension UnlinkedPurchase: MemberRecord {
    public static var blank: Self {
        Self(subject: SubjectKey(.order, .absent), owner: .absent, product: .absent, purchasedAt: .absent)
    }

    public mutating func describe(_ members: inout Members) {
        members.value("orders", &receiptLinkedOrders)
        members.value("owner", &owner)
        members.value("product", &product)
        members.value("purchasedAt", &purchasedAt)
        members.value("subject", &subject)
    }
}

extension UnlinkedOrder: MemberRecord {
    public static var blank: Self { Self(id: .absent, account: .absent, product: .absent, createdAt: .absent) }

    public mutating func describe(_ members: inout Members) {
        members.value("account", &account)
        members.value("createdAt", &createdAt)
        members.value("givenAt", &givenAt)
        members.value("isGivenByDesk", &isGivenByDesk)
        members.value("order", &id)
        members.value("product", &product)
    }
}

/// What a part's judging counted, and what it read and wrote: the object of the line `sum`, the last one of a part.
struct PartTotals: Codable {
    /// Without lists.
    var findings: Findings
    /// What the part was judged from.
    var proof: PartProof
    /// The other lines of the part.
    var written: WireSum
}

/// The counted purchases of a date, of one part.
struct TableLine: Codable {
    var date: BusinessDate
    /// The table's bytes.
    var purchases: Data

    init(date: BusinessDate, bytes: [UInt8]) {
        self.date = date
        purchases = Data(bytes)
    }

    /// Nil if the bytes are damaged. Where parts are judged, all cases have the number 0.
    var piece: TablePieces? {
        (try? EncodedTable(of: date, decoding: Array(purchases))).map {
            TablePieces(tables: [TableKey(date, block: 0): [.encoded($0)]])
        }
    }
}
