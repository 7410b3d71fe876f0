internal import Glibc

/// The sender's own totals of a file, in `FILE.totals` beside it. Every member may be absent. See
/// docs/spec/interfaces.md#totals.
public struct StatedTotals: Sendable, Equatable {
    /// The number of records.
    public private(set) var rows: Int?
    /// The SHA-256 of the file as delivered, in lower-case hexadecimal.
    public private(set) var sha256: String?
    /// The sum of the rows' amounts for each currency, in minor units. A currency that is not listed has no rows.
    public private(set) var amounts: [Currency: Int64]?
    /// The business date whose rows the file holds. A file with the content of an earlier one has then arrived for that
    /// date: nothing changed.
    public private(set) var date: BusinessDate?

    private static let bytesMax = 1 << 20

    private static func path(of file: FoundFile) -> String { file.path + ".totals" }

    public static func exist(beside file: FoundFile) -> Bool { access(path(of: file), F_OK) == 0 }

    /// The totals beside a file.
    /// - Throws: `StatedTotalsError` if they cannot be read; then the file cannot be believed either.
    public init(beside file: FoundFile) throws(StatedTotalsError) {
        guard case .read(let content, _)? = try? WholeFile(path: Self.path(of: file), bytesMax: Self.bytesMax),
            let text = String(validating: content, as: UTF8.self)
        else {
            throw StatedTotalsError("cannot be read, or is not text")
        }
        let document: JSON5
        do { document = try JSON5Reader.read(text) } catch { throw StatedTotalsError("is not JSON") }
        guard case .object(let members) = document.content else { throw StatedTotalsError("is not a JSON object") }
        for member in members {
            switch (member.key, member.value.content) {
            case (_, .null): break
            case ("rows", .number(let spelling)):
                guard let count = Int(spelling), count >= 0 else { throw StatedTotalsError("has no count in \"rows\"") }
                rows = count
            case ("sha256", .text(let hex)): sha256 = hex.lowercased()
            case ("amounts", .object(let amounts)): self.amounts = try Self.amounts(amounts)
            case ("date", .text(let text)):
                guard let stated = BusinessDate(text) else { throw StatedTotalsError("has no YYYY-MM-DD in \"date\"") }
                date = stated
            case ("rows", _), ("sha256", _), ("amounts", _), ("date", _):
                throw StatedTotalsError("has another kind of value in \"\(member.key)\"")
            default: break
            }
        }
    }

    private static func amounts(_ members: [JSON5.Member]) throws(StatedTotalsError) -> [Currency: Int64] {
        var amounts: [Currency: Int64] = [:]
        for member in members {
            let spelling = member.value.spelling ?? ""
            guard let currency = Currency(member.key),
                let minor = Parse.decimal(spelling, exponent: currency.exponent)
            else {
                throw StatedTotalsError("has no amount in \"amounts\": \(display(member.key)): \(display(spelling))")
            }
            amounts[currency] = minor
        }
        return amounts
    }

    /// How the file differs from its totals, with both figures. Nil if they agree.
    ///
    /// Rows that `where` leaves out or that delete a record are records of the file too. Amounts are compared only where every row was used: the
    /// amount of another row is not known.
    public func difference(from contents: FileContents, of file: FoundFile) -> String? {
        if let date, file.isDated, date != file.fileDate {
            return "its name says \(file.fileDate), but its totals say \(date)"
        }
        let totals = contents.totals
        let found = totals.rows + contents.leftOut + contents.deleted
        if let rows, rows != found { return "it has \(counted(found, "row", "rows")), but its totals say \(rows)" }
        if let sha256, sha256 != contents.digest.hex {
            return "its SHA-256 is \(contents.digest.hex), but its totals say \(display(sha256))"
        }
        guard let amounts, totals.rejected == 0, found == totals.rows else { return nil }
        for currency in Set(amounts.keys).union(totals.amounts.keys).sorted() {
            let (found, stated) = (totals.amounts[currency] ?? 0, amounts[currency] ?? 0)
            if found != stated {
                let texts = [found, stated].map { Money(minor: $0, currency: currency).description }
                return "its rows add up to \(texts[0]), but its totals say \(texts[1])"
            }
        }
        return nil
    }
}

/// Why totals cannot be used, as the rest of a sentence that begins with the file's name.
public struct StatedTotalsError: Error, Equatable {
    /// Such as `is not JSON`.
    public var text: String
    init(_ text: String) { self.text = text }
}
