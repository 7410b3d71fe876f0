import Glibc
import Xlsx

// The program that Benchmarks/workbook.sh measures. Its cells are those of Benchmarks/peers/peer_xlsxwriter.py.

/// Writes a sheet of 100 000 rows of 10 columns, seven of text and three of numbers.
func write(to path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { fatalError("\(path) cannot be written") }
    var book = try Workbook(temporaryFolder: "/tmp", createdAt: 1, title: "benchmark")
    try book.addSheet("cells") { sheet in
        for row in 0..<100_000 {
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

guard CommandLine.arguments.count == 2 else { fatalError("usage: WorkbookBenchmark FILE") }
try write(to: CommandLine.arguments[1])
