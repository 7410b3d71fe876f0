extension Ledger {
    /// The path of the imported file of this kind and content, relative to the configuration's folder, and how many
    /// rows it had. Nil if absent.
    ///
    /// A product list is known only if it was the last one of its name: a price that is changed and later changed back
    /// is news each time.
    public func file(kind: FeedKind, digest: Digest256) throws -> (name: String, rows: Int)? {
        var row = try connection.prepare(
            """
            SELECT name, rows FROM delivery d WHERE digest = ?1 AND kind = ?2
            AND (kind <> 'products' OR id = (SELECT max(id) FROM delivery WHERE kind = d.kind AND name = d.name))
            ORDER BY id LIMIT 1
            """, digest.hex, kind.rawValue)
        return try row.step() ? (row.text(0), Int(row.integer(1))) : nil
    }

    /// Whether a credit on record takes goods back.
    public func hasReversals() throws -> Bool {
        try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM backend_credit WHERE kind = ?1)", CreditKind.reversal.rawValue) == 1
    }

    /// What the file of this kind and content brought, if it came under the name of an earlier file. Nil if it did not.
    public func replacement(kind: FeedKind, digest: Digest256) throws -> RowCount? {
        var row = try connection.prepare(
            """
            SELECT rows - rejected, accepted FROM delivery d WHERE digest = ?1 AND kind = ?2
            AND id > (SELECT min(id) FROM delivery WHERE kind = d.kind AND name = d.name) ORDER BY id LIMIT 1
            """, digest.hex, kind.rawValue)
        return try row.step() ? RowCount(usable: Int(row.integer(0)), new: Int(row.integer(1))) : nil
    }

    /// The file stamp of each imported file, by the kind of its feed and its name. A file with an unchanged stamp need not be
    /// read again.
    public func stamps() throws -> [FeedKind: [String: FileStamp]] {
        let stamps = try all("SELECT kind, name, device, inode, bytes, modified, changed FROM delivery ORDER BY id") {
            row in
            guard let kind = FeedKind(rawValue: row.text(0)) else {
                throw LedgerError.damaged("the file \(row.text(1)) has an unknown kind")
            }
            let stamp = FileStamp(
                device: UInt64(bitPattern: row.integer(2)), inode: UInt64(bitPattern: row.integer(3)),
                bytes: row.integer(4), modified: row.integer(5), changed: row.integer(6))
            return (kind: kind, name: row.text(1), stamp: stamp)
        }
        return stamps.reduce(into: [:]) { $0[$1.kind, default: [:]][$1.name] = $1.stamp }
    }

    /// The files of all deliveries, by number.
    public func files() throws -> [DeliveryID: NamedFile] {
        try Dictionary(uniqueKeysWithValues: files(where: "?1", 1))
    }

    public func files(of deliveries: Set<DeliveryID>) throws -> [DeliveryID: NamedFile] {
        try Dictionary(uniqueKeysWithValues: deliveries.flatMap { try files(where: "id = ?1", $0) })
    }

    private func files(where condition: String, _ value: some SQLValue) throws -> [(DeliveryID, NamedFile)] {
        try all("SELECT id, name, digest FROM delivery WHERE " + condition, value) {
            (try $0.delivery(0), NamedFile(name: $0.text(1), digest: $0.text(2)))
        }
    }

    /// The bundle ids that were configured when each delivery was read.
    func bundlesRead() throws -> [DeliveryID: Set<Identifier>] {
        // A run's policy is long, because it holds the product list. The line of the bundle ids is one of its first.
        let pairs = try all(
            """
            WITH p AS (SELECT id, substr(policy, 1, 1000) AS policy FROM run),
            r AS MATERIALIZED (
                SELECT id, substr(policy, instr(policy, ?1) + length(?1)) AS rest FROM p WHERE instr(policy, ?1) > 0),
            ids AS MATERIALIZED (
                SELECT id, substr(rest, 1, instr(rest, char(10)) - 1) AS ids FROM r WHERE instr(rest, char(10)) > 0)
            SELECT d.id, ids FROM delivery d JOIN ids ON ids.id = d.run
            """, RunRecord.bundlesKey + "="
        ) { (try $0.delivery(0), $0.text(1)) }
        var sets: [String: Set<Identifier>] = [:]
        for (_, ids) in pairs where sets[ids] == nil {
            sets[ids] = Set(ids.split(separator: " ").map { Identifier(String($0)) })
        }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0, sets[$1]!) })
    }

    public func nextDelivery() throws -> DeliveryID {
        try all("SELECT ifnull(max(id), 0) + 1 FROM delivery") { try $0.delivery(0) }[0]
    }

    /// Records deliveries with their counts.
    public func write(_ deliveries: [Delivery], run: RunID) throws {
        var row = try TableWriter(self, .delivery)
        for delivery in deliveries {
            let (stamp, totals) = (delivery.stamp, delivery.totals)
            try row.write(
                delivery.number, run, delivery.kind.rawValue, delivery.name, Int64(delivery.fileDate.day),
                delivery.digest.hex, Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), stamp.bytes,
                stamp.modified, stamp.changed, totals.rows, delivery.accepted, delivery.duplicates, totals.rejected)
        }
    }

    /// The dates for which each feed delivered, by the feed's path pattern, in runs up to `last`.
    public func arrivals(through last: RunID = RunID(.max)) throws -> [String: Set<BusinessDate>] {
        let arrivals = try all("SELECT feed, file_date FROM arrival WHERE run <= ?1", last) {
            (feed: $0.text(0), date: try $0.date(1))
        }
        return Dictionary(grouping: arrivals, by: \.feed).mapValues { Set($0.map(\.date)) }
    }

    /// Records for which dates feeds delivered.
    public func write(_ arrivals: [Arrival], run: RunID) throws {
        var row = try TableWriter(self, .arrival, ignoresKnown: true)
        for arrival in arrivals { try row.write(arrival.feed, Int64(arrival.date.day), run) }
    }

    /// The product list: one row for each product and first day of validity.
    public func products() throws -> [Product] { try read(Product.self) }

    public func replaceProducts(_ products: [Product]) throws {
        try delete(from: .product)
        try insert(products)
    }
}

extension Product: TableRow {
    static let table = SummedTable.product
    static let blank = Product(id: .absent)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("product_id", &id, as: PlainText())
        try fields.field("valid_from", &validFrom, as: Days())
        try fields.field("valid_to", &validTo, as: Days())
        try fields.field("type", &type, as: Code())
        try fields.field("name", &name, as: Verbatim())
        try fields.money(&price, as: .amount)
        try fields.field("delivery", &source.delivery, as: Code())
        try fields.field("line", &source.line, as: Number())
        try fields.field("file_date", &source.fileDate, as: Days())
    }
}
