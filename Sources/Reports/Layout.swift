internal import Foundation

/// Which columns the workbook's sheets have, in which order and how wide.
struct Layout: Sendable, Decodable, Equatable {
    struct Column: Sendable, Decodable, Equatable {
        var column: String
        /// Characters of the default font.
        var width: Double
    }
    struct Sheet: Sendable, Decodable, Equatable {
        /// How many columns from the left are printed; the others are for the screen. Nil: all.
        var printed: Int?
        var columns: [Column]
    }
    /// Of what is new tonight, on one sheet: the short list to begin with. Everything of each stands on its verdict's.
    var new: Sheet
    var exceptions: Sheet
    var refunds: Sheet
    var rejects: Sheet
    var sources: Sheet

    /// Read where a workbook is to be written: a look-up has no time for it.
    static let builtIn = {
        do { return try Layout(Data(PackageResources.layout_json), "layout.json") } catch { fatalError("\(error)") }
    }()

    /// The user's own; nil where there is none.
    static func load(folder: String?) throws(TextsError) -> Layout? {
        guard let own = try ownFile("layout.json", in: folder) else { return nil }
        return try Layout(own.data, own.path)
    }

    private init(_ data: Data, _ file: String) throws(TextsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(Layout.self, from: data)
        } catch {
            throw TextsError(file: file, problem: "is no layout; templates/layout.json shows what one looks like")
        }
        try check(file)
    }

    /// A sheet needs columns, and their widths must be Excel's.
    private func check(_ file: String) throws(TextsError) {
        for sheet in [new, exceptions, refunds, rejects, sources] {
            let isUsable = (1...256).contains(sheet.columns.count) && (sheet.printed ?? 1) >= 1
            guard isUsable else { throw TextsError(file: file, problem: "a sheet is to have 1 to 256 columns") }
            for column in sheet.columns where !(1...255).contains(column.width) {
                throw TextsError(file: file, problem: "the width of \(column.column) is to be between 1 and 255")
            }
        }
    }
}
