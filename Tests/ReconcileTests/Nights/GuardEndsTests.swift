internal import Domain
import Testing

/// Files of credits that lack their last hours.
extension GuardTests {
    /// A shop with a purchase an hour. One evening, the file of credits is cut; one of its purchases really has no goods.
    @Test func creditsThatLackTheEveningAreHeldUntilTheWholeFileComes() throws {
        let desk = try DeskFolder(retry: "{}")
        for night in 0...6 {
            try sell(all(night), desk, night)
            try desk.night(night)
            #expect(try !summary(desk).contains("CHECK FIRST"), "night \(night)")
        }
        try sell(700..<718, desk, 7)
        try desk.night(7)
        #expect(try summary(desk).contains("; CHECK FIRST: credits 2025-11-08\n"))
        let text = "credits 2025-11-08: no credit after 17:30, usually until 23:30; 5"
        let errors = try desk.folder.read("complained")
        #expect(errors.contains("the input is unusual: \(text) purchases since then have none."), "\(errors)")
        #expect(try lines("retry-manifest.jsonl", desk) == 0 && lines("held.jsonl", desk) == 5)
        try sell(all(7), but: 720, desk, 7)
        let again = try desk.run(["nightly", "--date", desk.date(7), "--as-of", desk.date(8) + "T09:00:00+08:00"])
        #expect(!again.errors.contains("unusual"), "\(again.errors)")
        #expect(try lines("held.jsonl", desk) == 1)
        #expect(try desk.run(["release", "--held", "--by", "Li", "--note", "whole"]).code == 0)
        try sell(all(8), desk, 8)
        try desk.night(8)
        let manifest = try desk.folder.read("out/latest/retry-manifest.jsonl")
        #expect(manifest.split(separator: "\n").count == 1 && manifest.contains(DeskFolder.sold(720)))
    }

    private func all(_ night: Int) -> Range<Int> { night * 100..<night * 100 + 24 }

    /// Delivers the purchases of that night, one at half past each hour.
    private func sell(_ credited: Range<Int>, but lost: Int? = nil, _ desk: DeskFolder, _ night: Int) throws {
        try sell(all(night), credited: credited, desk, night: night)
        let noon = Zone("Asia/Shanghai")!.start(of: BusinessDate(desk.date(night))!).milliseconds + 43_200_000
        for (feed, form) in [("orders", "csv"), ("credits", "csv"), ("transactions", "jsonl")] {
            let name = "\(feed)-\(desk.date(night)).\(form)"
            let lines = try desk.folder.read("inbox/" + name).split(separator: "\n").compactMap { line -> String? in
                guard let number = all(night).first(where: { line.contains(DeskFolder.sold($0)) })
                else { return String(line) }
                if number == lost, feed == "credits" { return nil }
                let hour = number - all(night).lowerBound
                let clock: String = (hour < 10 ? "0" : "") + String(hour)
                let shifted: Int64 = noon + Int64(hour * 60 - 690) * 60_000
                let dated = String(line).replacing("T12:00:00", with: "T" + clock + ":30:00")
                return dated.replacing(String(noon), with: String(shifted))
            }
            try desk.folder.write(lines.map { $0 + "\n" }.joined(), to: "inbox/" + name)
        }
    }
}
