public import Domain
public import Engine
internal import SQLite

/// A file that was imported before.
public struct KnownFile: Sendable {
    /// The path relative to the configuration's folder.
    public var name: String
    /// What its rows are.
    public var kind: FeedKind
    /// How many rows it had.
    public var rows: Int
}

/// What identifies a file of a feed before it is read.
public struct FeedFile: Hashable, Sendable {
    /// What its rows are.
    public var kind: FeedKind
    /// The path relative to the configuration's folder.
    public var name: String

    public init(kind: FeedKind, name: String) {
        self.kind = kind
        self.name = name
    }
}

extension Ledger {
    /// The imported file of this kind and content. Nil if absent.
    ///
    /// A product list is known only if it was the last one of its name: a price that is changed and later changed back
    /// is news each time.
    public func file(kind: FeedKind, digest: Digest256) throws -> KnownFile? {
        var row = try TableReader<DeliveryColumn>(
            self, only: [.name, .rows],
            """
            AS d WHERE digest = ?1 AND kind = ?2
            AND (kind <> 'products' OR id = (SELECT max(id) FROM delivery WHERE kind = d.kind AND name = d.name))
            ORDER BY id LIMIT 1
            """)
        row.statement.bind(1, digest.hex)
        row.statement.bind(2, kind.rawValue)
        guard try row.step() else { return nil }
        return KnownFile(name: row.text(.name), kind: kind, rows: Int(row.integer(.rows)))
    }

    /// The file stamp of each imported file. A file with an unchanged stamp need not be read again.
    public func stamps() throws -> [FeedFile: FileStamp] {
        var stamps: [FeedFile: FileStamp] = [:]
        var row = try TableReader<DeliveryColumn>(self, "ORDER BY id", through: .changed)
        while try row.step() {
            guard let kind = FeedKind(rawValue: row.text(.kind)) else {
                throw LedgerError.damaged("the file \(row.text(.name)) has an unknown kind")
            }
            stamps[FeedFile(kind: kind, name: row.text(.name))] = FileStamp(
                device: UInt64(bitPattern: row.integer(.device)), inode: UInt64(bitPattern: row.integer(.inode)),
                bytes: row.integer(.bytes), modified: row.integer(.modified), changed: row.integer(.changed))
        }
        return stamps
    }

    /// The file names of all deliveries, by number.
    public func deliveryNames() throws -> [DeliveryID: String] {
        var names: [DeliveryID: String] = [:]
        var row = try TableReader<DeliveryColumn>(self, only: [.id, .name])
        while try row.step() { names[DeliveryID(try row.requiredInt32(.id))] = row.text(.name) }
        return names
    }

    /// The SHA-256 of all deliveries as hexadecimal text, by number.
    public func deliveryDigests() throws -> [DeliveryID: String] {
        var digests: [DeliveryID: String] = [:]
        var row = try TableReader<DeliveryColumn>(self, only: [.id, .digest])
        while try row.step() { digests[DeliveryID(try row.requiredInt32(.id))] = row.text(.digest) }
        return digests
    }

    /// The number for the next delivery.
    public func nextDelivery() throws -> DeliveryID {
        var statement = try connection.prepare("SELECT ifnull(max(id), 0) FROM delivery")
        _ = try statement.step()
        return try statement.whole(Int32(exactly: statement.integer(0) &+ 1).map(DeliveryID.init(rawValue:)))
    }

    /// Records deliveries with their counts.
    public func write(_ deliveries: [Delivery], run: RunID) throws {
        var row = try TableWriter<DeliveryColumn>(self)
        for delivery in deliveries { try write(delivery, run, &row) }
    }

    private func write(_ delivery: Delivery, _ run: RunID, _ row: inout TableWriter<DeliveryColumn>) throws {
        row.set(.id, delivery.number)
        row.set(.run, run)
        row.set(.kind, delivery.kind.rawValue)
        row.set(.name, delivery.name)
        row.set(.fileDate, Int64(delivery.fileDate.day))
        row.set(.digest, delivery.digest.hex)
        row.set(.device, Int64(bitPattern: delivery.stamp.device))
        row.set(.inode, Int64(bitPattern: delivery.stamp.inode))
        row.set(.bytes, delivery.stamp.bytes)
        row.set(.modified, delivery.stamp.modified)
        row.set(.changed, delivery.stamp.changed)
        row.set(.rows, Int64(delivery.totals.rows))
        row.set(.accepted, Int64(delivery.accepted))
        row.set(.duplicates, Int64(delivery.duplicates))
        row.set(.rejected, Int64(delivery.totals.rejected))
        try row.write()
    }

    /// The dates for which each feed delivered, by the feed's path pattern, in runs up to `last`.
    public func arrivals(through last: RunID = RunID(.max)) throws -> [String: Set<BusinessDate>] {
        var arrivals: [String: Set<BusinessDate>] = [:]
        var row = try TableReader<ArrivalColumn>(self, only: [.feed, .fileDate], "WHERE run <= ?1")
        row.statement.bind(1, last)
        while try row.step() { arrivals[row.text(.feed), default: []].insert(try row.requiredDate(.fileDate)) }
        return arrivals
    }

    /// Records for which dates feeds delivered.
    public func write(_ arrivals: [Arrival], run: RunID) throws {
        var row = try TableWriter<ArrivalColumn>(self, .ignores)
        for arrival in arrivals {
            row.set(.feed, arrival.feed)
            row.set(.fileDate, Int64(arrival.date.day))
            row.set(.run, run)
            try row.write()
        }
    }

    /// The product list: one row for each product and first day of validity.
    public func products() throws -> [Product] {
        var products: [Product] = []
        var row = try TableReader<ProductColumn>(self)
        while try row.step() {
            var product = Product(id: try row.requiredIdentifier(.productID), source: try row.source())
            product.validFrom = try row.date(.validFrom)
            product.validTo = try row.date(.validTo)
            product.type = try row.word(.type)
            product.name = row.optionalText(.name)
            product.price = try row.money(.amount, .currency)
            products.append(product)
        }
        return products
    }

    /// Replaces the whole product list.
    public func replaceProducts(_ products: [Product]) throws {
        var old = try connection.prepare(SummedTable.product.select)
        try remove(&old, from: .product)
        try connection.execute("DELETE FROM product")
        var row = try TableWriter<ProductColumn>(self)
        for product in products {
            row.set(.productID, product.id.text)
            row.set(.validFrom, (product.validFrom?.day).map(Int64.init))
            row.set(.validTo, (product.validTo?.day).map(Int64.init))
            row.set(.type, (product.type?.rawValue).map(Int64.init))
            row.set(.name, product.name)
            row.set(.amount, product.price?.minor)
            row.set(.currency, product.price?.currency.text)
            row.set(.delivery, product.source.delivery)
            row.set(.line, Int64(product.source.line))
            row.set(.fileDate, Int64(product.source.fileDate.day))
            try row.write()
        }
    }
}
