import Domain
import Foundation
import Testing

@testable internal import Reconcile
@testable internal import Reference

/// The sender's own totals beside a file. See docs/spec/interfaces.md#totals.
@Suite struct StatedTotalsTests {
    private static let header = "order_id,account_id,product_id,status,created_at,amount,currency\n"
    private static let rows =
        "A1,a,coins,pending,2025-11-10T10:00:00Z,6.00,CNY\nA2,a,coins,pending,2025-11-10T10:01:00Z,100,JPY\n"
    private let night: NightFolder

    init() throws {
        night = try NightFolder()
        try night.folder.write(Self.header + Self.rows, to: "inbox/orders-2025-11-10.csv")
    }

    private func state(_ totals: String) throws {
        try night.folder.write(totals, to: "inbox/orders-2025-11-10.csv.totals")
    }

    @Test func totalsThatAgreeChangeNothing() throws {
        let digest = try Program.shell("sha256sum inbox/orders-2025-11-10.csv", in: night.folder.path).output.prefix(64)
        try state(#"{"rows": 2, "sha256": "\#(digest)", "amounts": {"CNY": "6.000", "JPY": 100}, "made_by": "x"}"#)
        #expect(try night.night(moment(0)).code == .done)
    }

    @Test(arguments: [
        (#"{"rows": 3}"#, "it has 2 rows, but its totals say 3; deliver both again"),
        (#"{"sha256": "00"}"#, "but its totals say 00; deliver both again"),
        (#"{"amounts": {"CNY": "6.01", "JPY": "100"}}"#, "add up to 6.00 CNY, but its totals say 6.01 CNY"),
        (#"{"amounts": {"CNY": "6.00"}}"#, "add up to 100 JPY, but its totals say 0 JPY"),
        (#"{"amounts": {"CNY": "6.00", "JPY": 100, "USD": 1}}"#, "add up to 0.00 USD, but its totals say 1.00 USD"),
        (#"{"amounts": {"CNY": "6.001"}}"#, #"totals has no amount in "amounts": CNY: 6.001"#),
        (#"{"rows": "2"}"#, #"totals has another kind of value in "rows""#),
        (#"{"date": "18.11.2025"}"#, #"totals has no YYYY-MM-DD in "date""#),
        (#"{"rows": -2}"#, #"totals has no count in "rows""#),
        ("[2]", "totals is not a JSON object"), ("rows=2", "totals is not JSON"), ("", "totals is not JSON"),
    ])
    func aFileThatContradictsItsTotalsIsRefused(_ totals: String, _ message: String) throws {
        try state(totals)
        let ended = try night.night(moment(0))
        #expect(ended.code == .look && ended.errors.contains("orders-2025-11-10.csv is refused: "), "\(ended)")
        #expect(ended.errors.contains(message), "\(ended)")
        try state(#"{"rows": 2}"#)
        #expect(try night.night(moment(1)).code == .done)
    }

    /// A rejected row has no amount, so the sum cannot be compared. The number of rows can.
    @Test func amountsAreComparedOnlyWhereEveryRowIsUsed() throws {
        try night.folder.write(
            Self.header + Self.rows + "A3,a,coins,pending,yesterday,6.00,CNY\n", to: "inbox/orders-2025-11-10.csv")
        try state(#"{"rows": 3, "amounts": {"CNY": "12.00", "JPY": "100"}}"#)
        #expect(try night.night(moment(0)).code == .done)
    }

    /// Without the date, a file with the content of another date's file is an old export.
    @Test func anUnchangedExportHasArrivedIfItsTotalsNameItsDate() throws {
        try night.addFeed(#"{kind: "orders", path: "web/{date}.csv", required: true}"#)
        try FileManager.default.createDirectory(atPath: night.folder.path + "/web", withIntermediateDirectories: false)
        for number in 0..<3 {
            try night.folder.write(Self.header + Self.rows.replacing("A", with: "W"), to: "web/\(day(number)).csv")
            try night.folder.write(#"{"date": "\#(day(number))"}"#, to: "web/\(day(number)).csv.totals")
        }
        try night.folder.write("{}", to: "web/2025-11-12.csv.totals")
        #expect(try night.night(moment(0)).code == .done)
        let second = try night.night(moment(1))
        #expect(second.code == .done && !second.errors.contains("has the same content"), "\(second)")
        let third = try night.night(moment(2))
        #expect(third.code == .look && third.errors.contains("name the date in web/2025-11-12.csv.totals"), "\(third)")
        try night.folder.write(#"{"date": "2025-11-11"}"#, to: "web/2025-11-13.csv.totals")
        try night.folder.write(Self.header, to: "web/2025-11-13.csv")
        let wrong = try night.night(moment(3))
        #expect(wrong.code == .inputRefused, "\(wrong)")
        #expect(wrong.errors.contains("its name says 2025-11-13, but its totals say 2025-11-11"))
    }

    @Test func aFileWaitsForTotalsThatAreRequired() throws {
        try night.addFeed(#"{kind: "orders", path: "web/{date}.csv", required: true, totals: "required"}"#)
        try FileManager.default.createDirectory(atPath: night.folder.path + "/web", withIntermediateDirectories: false)
        try night.folder.write(Self.header + Self.rows.replacing("A", with: "W"), to: "web/2025-11-10.csv")
        let first = try night.night(moment(0))
        #expect(first.code == .look && first.errors.contains("web/2025-11-10.csv is not read yet"), "\(first)")
        try night.folder.write("{}", to: "web/2025-11-10.csv.totals")
        try night.folder.write(Self.header, to: "web/2025-11-11.csv")
        try night.folder.write(#"{"rows": 0, "amounts": {}}"#, to: "web/2025-11-11.csv.totals")
        #expect(try night.night(moment(1)).code == .done)
    }
}
