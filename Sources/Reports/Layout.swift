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

    static func load(folder: String?) throws(TextsError) -> Layout {
        let own = try ownFile("layout.json", in: folder)
        let file = own?.path ?? "layout.json"
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let layout: Layout
        do {
            layout = try decoder.decode(Layout.self, from: own?.data ?? Data(PackageResources.layout_json))
        } catch {
            throw TextsError(file: file, problem: "is no layout; templates/layout.json shows what one looks like")
        }
        try layout.check(file)
        return layout
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
