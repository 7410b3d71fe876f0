public import Domain
internal import SQLite

/// A file that was imported, as far as telling it again needs.
public struct KnownFile: Sendable {
    public var name: String
    public var kind: FeedKind
    public var rows: Int
}

extension Ledger {
    /// The file of that kind and content that was imported, or nil. A product list is known only as the last one of its
    /// name: a price that is changed and changed back is news twice.
    public func file(kind: FeedKind, digest: Digest256) throws -> KnownFile? {
        var statement = try connection.prepare(
            """
            SELECT name, rows FROM delivery AS d WHERE digest = ?1 AND kind = ?2
            AND (kind <> 'products' OR id = (SELECT max(id) FROM delivery WHERE kind = d.kind AND name = d.name))
            ORDER BY id LIMIT 1
            """)
        statement.bind(1, digest.hex)
        statement.bind(2, kind.rawValue)
        guard try statement.step() else { return nil }
        return KnownFile(name: statement.text(0), kind: kind, rows: Int(statement.integer(1)))
    }

    /// Stamps of all imported files by kind and name: an unchanged stamp spares reading the file again.
    public func stamps() throws -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        var statement = try connection.prepare(
            "SELECT kind, name, device, inode, bytes, modified, changed FROM delivery ORDER BY id")
        while try statement.step() {
            stamps[statement.text(0) + ":" + statement.text(1)] = FileStamp(
                device: UInt64(bitPattern: statement.integer(2)), inode: UInt64(bitPattern: statement.integer(3)),
                bytes: statement.integer(4), modified: statement.integer(5), changed: statement.integer(6))
        }
        return stamps
    }

    /// Names of all deliveries, by number.
    public func deliveryNames() throws -> [Int32: String] {
        var names: [Int32: String] = [:]
        var statement = try connection.prepare("SELECT id, name FROM delivery")
        while try statement.step() { names[try statement.requiredInt32(0)] = statement.text(1) }
        return names
    }

    /// SHA-256 of all deliveries in hexadecimal, by number.
    public func deliveryDigests() throws -> [Int32: String] {
        var digests: [Int32: String] = [:]
        var statement = try connection.prepare("SELECT id, digest FROM delivery")
        while try statement.step() { digests[try statement.requiredInt32(0)] = statement.text(1) }
        return digests
    }

    public func nextDelivery() throws -> Int32 {
        var statement = try connection.prepare("SELECT ifnull(max(id), 0) FROM delivery")
        _ = try statement.step()
        return try statement.whole(Int32(exactly: statement.integer(0) &+ 1))
    }

    public func write(_ delivery: Delivery, run: Int64) throws {
        var statement = try connection.prepare(
            "INSERT INTO delivery VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15) RETURNING *")
        statement.bind(1, Int64(delivery.number))
        statement.bind(2, run)
        statement.bind(3, delivery.kind.rawValue)
        statement.bind(4, delivery.name)
        statement.bind(5, Int64(delivery.fileDate.day))
        statement.bind(6, delivery.digest.hex)
        statement.bind(7, Int64(bitPattern: delivery.stamp.device))
        statement.bind(8, Int64(bitPattern: delivery.stamp.inode))
        statement.bind(9, delivery.stamp.bytes)
        statement.bind(10, delivery.stamp.modified)
        statement.bind(11, delivery.stamp.changed)
        statement.bind(12, Int64(delivery.totals.rows))
        statement.bind(13, Int64(delivery.accepted))
        statement.bind(14, Int64(delivery.duplicates))
        statement.bind(15, Int64(delivery.totals.rejected))
        try add(&statement, to: .delivery)
    }

    /// Dates on which each feed (by its pattern) has delivered, up to the run `last`.
    public func arrivals(through last: Int64 = .max) throws -> [String: Set<BusinessDate>] {
        var arrivals: [String: Set<BusinessDate>] = [:]
        var statement = try connection.prepare("SELECT feed, file_date FROM arrival WHERE run <= ?1")
        statement.bind(1, last)
        while try statement.step() {
            arrivals[statement.text(0), default: []].insert(try statement.requiredDate(1))
        }
        return arrivals
    }

    public func writeArrival(feed: String, date: BusinessDate, run: Int64) throws {
        var statement = try connection.prepare("INSERT OR IGNORE INTO arrival VALUES (?1, ?2, ?3) RETURNING *")
        statement.bind(1, feed)
        statement.bind(2, Int64(date.day))
        statement.bind(3, run)
        try add(&statement, to: .arrival)
    }

    /// The product list as last delivered, one row a product and beginning of validity.
    public func products() throws -> [Product] {
        var products: [Product] = []
        var statement = try connection.prepare("SELECT * FROM product")
        while try statement.step() {
            var product = Product(id: try statement.requiredIdentifier(0), source: try statement.source(from: 7))
            product.validFrom = try statement.date(1)
            product.validTo = try statement.date(2)
            product.type = try statement.word(3)
            product.name = statement.optionalText(4)
            product.price = try statement.money(5)
            products.append(product)
        }
        return products
    }

    public func replaceProducts(_ products: [Product]) throws {
        var old = try connection.prepare("SELECT * FROM product")
        try remove(&old, from: .product)
        try connection.execute("DELETE FROM product")
        var statement = try connection.prepare(
            "INSERT INTO product VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10) RETURNING *")
        for product in products {
            statement.bind(1, product.id.text)
            statement.bind(2, (product.validFrom?.day).map(Int64.init))
            statement.bind(3, (product.validTo?.day).map(Int64.init))
            statement.bind(4, (product.type?.rawValue).map(Int64.init))
            statement.bind(5, product.name)
            statement.bind(6, product.price?.minor)
            statement.bind(7, product.price?.currency.text)
            statement.bind(8, Int64(product.source.delivery))
            statement.bind(9, Int64(product.source.line))
            statement.bind(10, Int64(product.source.fileDate.day))
            try add(&statement, to: .product)
        }
    }
}
