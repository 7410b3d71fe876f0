import Glibc
import Reports

// The program that Benchmarks/workbook.sh measures. Its cells are those of Benchmarks/peers/peer_xlsxwriter.py.

/// Writes a sheet of rows of 10 columns, seven of text and three of numbers.
func write(_ rows: Int, to path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { fatalError("\(path) cannot be written") }
    var book = try Workbook(temporaryFolder: "/tmp", createdAt: 1, title: "benchmark")
    try book.addSheet("cells") { sheet in
        for row in 0..<rows {
            for column in 0..<10 {
                if column % 3 == 2 {
                    sheet.write(Double(row * 10 + column), row: row, column: column)
                } else {
                    sheet.write("cell \(column) of row \(row)", row: row, column: column)
                }
            }
        }
    }
    try book.close(into: file)
}

let words = CommandLine.arguments
guard words.count == 2 || words.count == 3, let rows = Int(words.count == 3 ? words[2] : "100000") else {
    fatalError("usage: WorkbookBenchmark FILE [ROWS]")
}
try write(rows, to: words[1])
