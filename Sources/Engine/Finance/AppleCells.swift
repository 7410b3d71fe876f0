/// A row of one of Apple's files, whose cells are found by the names of their columns.
struct AppleCells {
    /// The places of the columns, by name.
    let columns: [String: Int]
    let cells: [Substring]
    /// The row's line in the file, counted from 1.
    let line: Int

    /// Empty where file or row have no such cell.
    subscript(name: String) -> Substring {
        guard let place = columns[name], place < cells.count else { return "" }
        return cells[place]
    }

    func problem(_ reason: String) -> AppleReportProblem { AppleReportProblem(line: line, reason: reason) }

    /// - Throws: `AppleReportProblem` where the cell is empty.
    func text(_ name: String) throws(AppleReportProblem) -> String {
        let text = self[name]
        if text.isEmpty { throw problem("\(name) is empty") }
        return String(text)
    }

    /// A decimal number in ten-thousandths.
    func number(_ name: String) throws(AppleReportProblem) -> Int64 {
        guard let value = number4(try text(name)) else { throw problem("\(name) must be a number") }
        return value
    }

    func currency(_ name: String) throws(AppleReportProblem) -> Currency {
        guard let currency = Currency(try text(name)) else { throw problem("\(name) must be three letters") }
        return currency
    }

    /// A date written as MM/DD/YYYY, or as YYYY-MM-DD.
    func date(_ name: String) throws(AppleReportProblem) -> BusinessDate {
        let text = try text(name)
        if let date = BusinessDate(text) { return date }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2],
            (2000...2200).contains(year), let date = BusinessDate(year: year, month: month, day: day)
        else { throw problem("\(name) must be a date as MM/DD/YYYY") }
        return date
    }
}

/// The lines of a text, however they end.
func appleLines(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
}

/// The decimal number in ten-thousandths. Nil if the text is not a number or is finer than that.
func number4(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { Parse.decimal(UnsafeRawBufferPointer($0), exponent: 4) }
}
