import Domain
import Engine
import Foundation
import FoundationXML
import Reports
import Testing

/// A folder for one test. It is deleted together with this value.
final class ScratchBuffer {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("reports-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
        return path + "/" + name
    }

    /// The night's files, by name.
    func render(_ report: NightReport, _ language: Language = .english) throws -> [String: Data] {
        let folder = try folder(UUID().uuidString)
        try writeNightReport(report, texts: try Texts(language: language), into: folder, fileMode: 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
    }

    /// The sheets of a workbook by name, each cell by its place (`B7`).
    func sheets(_ workbook: Data) throws -> [(name: String, cells: [String: SheetCell])] {
        let file = path + "/" + UUID().uuidString + ".xlsx"
        try workbook.write(to: URL(fileURLWithPath: file))
        let names = try XMLReader.read(try member("xl/workbook.xml", of: file)).sheetNames
        return try names.enumerated().map { index, name in
            (name, try XMLReader.read(try member("xl/worksheets/sheet\(index + 1).xml", of: file)).cells)
        }
    }

    /// The texts of all formulas of a workbook.
    func formulas(_ workbook: Data) throws -> [String] {
        let file = path + "/" + UUID().uuidString + ".xlsx"
        try workbook.write(to: URL(fileURLWithPath: file))
        let names = try XMLReader.read(try member("xl/workbook.xml", of: file)).sheetNames
        return try names.indices.flatMap { index in
            try XMLReader.read(try member("xl/worksheets/sheet\(index + 1).xml", of: file)).formulas
        }
    }

    func member(_ name: String, of file: String) throws -> Data {
        let unzip = Process()
        unzip.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
        unzip.arguments = ["-p", file, name]
        let output = Pipe()
        unzip.standardOutput = output
        try unzip.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        unzip.waitUntilExit()
        try #require(unzip.terminationStatus == 0, "unzip cannot read \(name)")
        return data
    }
}

/// A cell as stored in the file.
struct SheetCell: Equatable {
    var text: String
    var isText: Bool
    var isFormula = false
}

/// Reads what libxlsxwriter wrote without using that library.
private final class XMLReader: NSObject, XMLParserDelegate {
    var sheetNames: [String] = []
    var cells: [String: SheetCell] = [:]
    var formulas: [String] = []
    private var place = ""
    private var isText = false
    private var isFormula = false
    private var text = ""

    static func read(_ data: Data) throws -> XMLReader {
        let reader = XMLReader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        try #require(parser.parse(), "the workbook holds something that is no XML")
        return reader
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "sheet": sheetNames.append(attributes["name"] ?? "")
        case "c": (place, isText, isFormula) = (attributes["r"] ?? "", attributes["t"] == "inlineStr", false)
        case "f": (isFormula, text) = (true, "")
        case "t", "v": text = ""
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "f" { formulas.append(text) }
        if name == "t" || name == "v" { cells[place] = SheetCell(text: text, isText: isText, isFormula: isFormula) }
    }
}

/// The records and fields of a CSV text, by RFC 4180.
func readCSV(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field = String.UnicodeScalarView()
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
        if isQuoted {
            if scalar != "\"" {
                field.append(scalar)
            } else if scalars.first == "\"" {
                field.append(scalars.removeFirst())
            } else {
                isQuoted = false
            }
        } else if scalar == "\"" {
            isQuoted = true
        } else if scalar == "," || scalar == "\n" {
            record.append(String(field))
            field = String.UnicodeScalarView()
            if scalar == "\n" {
                records.append(record)
                record = []
            }
        } else {
            field.append(scalar)
        }
    }
    return records
}
