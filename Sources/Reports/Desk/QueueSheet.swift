internal import Glibc

extension WorkQueue {
    /// The rows as the page shows them, as a workbook: a spreadsheet rounds the long ids of a CSV file.
    public func workbook(at now: Instant, temporaryFolder: String, zone: Zone, texts: Texts) throws -> [UInt8] {
        guard let file = tmpfile() else { throw XlsxError.cannotWrite(code: errno) }
        defer { fclose(file) }
        let title = texts.queue(.title)
        let createdAt = max(1, Int(now.milliseconds.flooredDivision(by: 1000)))
        var workbook = try Workbook(temporaryFolder: temporaryFolder, createdAt: createdAt, title: title)
        let writer = SheetWriter(
            styles: try SheetStyles(workbook), texts: texts, zone: zone, footer: texts.label(.footer, date.text))
        let columns = Column.allCases.flatMap { column in
            let own = (text: texts.queue(column), isFigure: [.age, .amount].contains(column))
            return column == .amount ? [own, (texts.column("currency"), false)] : [own]
        }
        try workbook.addSheet(isSheetName(title) ? title : "queue") { sheet in
            sheet.setWidths([24, 40, 8, 36, 24, 12, 10, 24, 28, 14, 14])
            writer.writeHeader([(texts.queue(.purchase), false)] + columns, row: 0, to: &sheet)
            for (index, row) in rows.enumerated() {
                writer.write(row.cells(zone: zone, texts), row: index + 1, to: &sheet)
            }
            sheet.freeze(rows: 1, columns: 1)
            sheet.filter(header: 0, last: rows.count, columns: columns.count + 1)
            writer.finish(&sheet, columns: columns.count + 1, printed: columns.count + 1, lastRow: rows.count)
        }
        try workbook.close(into: fileno(file))
        let size = Int(lseek(fileno(file), 0, SEEK_END))
        let (bytes, error) = readAll(upTo: size) { room, done in
            pread(fileno(file), room.baseAddress, room.count, off_t(done))
        }
        guard error == 0 else { throw XlsxError.cannotWrite(code: error) }
        return bytes
    }
}

extension QueueRow {
    fileprivate func cells(zone: Zone, _ texts: Texts) -> [Cell] {
        [Cell(id)]
            + WorkQueue.Column.allCases.flatMap { column -> [Cell] in
                switch column {
                case .age: [.integer(Int64(row.ageDays))]
                case .amount: row.amount.map { [.money($0), Cell($0.currency.text)] } ?? [.empty, .empty]
                default: [Cell(text(column, zone: zone, texts))]
                }
            }
    }
}
