internal import CResources
internal import Foundation

/// The columns of the workbook's sheets: which, in what order, and how wide.
struct Layout: Sendable, Decodable, Equatable {
    struct Column: Sendable, Decodable, Equatable {
        /// Its name in the catalogue of the sheet.
        var column: String
        /// Its width in characters of the default font.
        var width: Double
    }
    struct Sheet: Sendable, Decodable, Equatable {
        /// How many columns, from the left, are printed; the others are only for the screen. Nil for all.
        var printed: Int?
        var columns: [Column]

        /// The columns of the layout, from those that the sheet may have.
        func columns<Row>(of catalogue: some Sequence<Reports.Column<Row>>) -> [Reports.Column<Row>] {
            columns.compactMap { wanted in catalogue.first { $0.name == wanted.column } }
        }
    }
    /// The sheet of new exceptions: a short overview. Each exception has all its columns on the sheet of its verdict.
    var new: Sheet
    var exceptions: Sheet
    var refunds: Sheet
    var rejects: Sheet
    var sources: Sheet

    /// The built-in layout. Loaded only when a workbook is written, because a look-up must be fast.
    static let builtIn = {
        do { return try Layout(Data(String(cString: report_layout()).utf8), "layout.json") } catch {
            fatalError("\(error)")
        }
    }()

    /// The user's own layout; nil if the folder has none.
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
            throw TextsError(file: file, problem: "is not a layout; see templates/layout.json for an example")
        }
        try check(file)
    }

    /// Throws unless each sheet has columns whose widths Excel accepts.
    private func check(_ file: String) throws(TextsError) {
        for sheet in [new, exceptions, refunds, rejects, sources] {
            let isUsable = (1...256).contains(sheet.columns.count) && (sheet.printed ?? 1) >= 1
            guard isUsable else { throw TextsError(file: file, problem: "a sheet must have 1 to 256 columns") }
            for column in sheet.columns where !(1...255).contains(column.width) {
                throw TextsError(file: file, problem: "the width of \(column.column) must be between 1 and 255")
            }
        }
    }
}
