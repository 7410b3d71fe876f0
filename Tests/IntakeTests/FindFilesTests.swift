import Domain
import Foundation
import Intake
import Testing

@Suite struct FindFilesTests {
    private func names(_ patterns: [String], of files: [String], through: String = "2025-11-18") throws -> [String] {
        let folder = try Folder()
        for file in files { try folder.write("", to: file) }
        let feeds = patterns.map { Feed(kind: .orders, path: folder.path + "/" + $0, name: $0) }
        return try findFiles(of: feeds, base: folder.path, through: BusinessDate(through)!)
            .map { "\($0.feed) \($0.name) \($0.fileDate)" + ($0.isDated ? "" : " undated") }
    }

    @Test func filesUpToTheDateAreFoundInOrder() throws {
        let files = [
            "inbox/b-2025-11-17.csv", "inbox/a-2025-11-17.csv", "inbox/a-2025-11-18.csv", "inbox/a-2025-11-19.csv",
            "inbox/a-2025-02-30.csv", "inbox/a-2025-11-1.csv", "inbox/xa-2025-11-17.csv", "products.csv",
        ]
        #expect(
            try names(["inbox/b-{date}.csv", "inbox/a-{date}.csv", "products.csv"], of: files) == [
                "0 inbox/b-2025-11-17.csv 2025-11-17", "1 inbox/a-2025-11-17.csv 2025-11-17",
                "1 inbox/a-2025-11-18.csv 2025-11-18", "2 products.csv 2025-11-18 undated",
            ])
    }

    @Test func aNameThatIsNoUTF8IsFoundAndTold() throws {
        let folder = try Folder()
        for name in ["a-2025-11-17-x.csv", "a-2025-11-18-\u{1}\u{1}.csv"] { try folder.write("", to: name) }
        let bytes = Array((folder.path + "/a-2025-11-18-").utf8) + [0xB3, 0xE4] + Array(".csv".utf8) + [0]
        #expect(rename(folder.path + "/a-2025-11-18-\u{1}\u{1}.csv", bytes.map { CChar(bitPattern: $0) }) == 0)
        let feed = Feed(kind: .orders, path: folder.path + "/a-{date}*.csv", name: "a")
        let found = try findFiles(of: [feed], base: folder.path, through: BusinessDate("2025-11-18")!)
        #expect(found.map(\.hasForeignName) == [false, true])
        #expect(found.map(\.fileDate.text) == ["2025-11-17", "2025-11-18"])
    }

    @Test func aDoubledSlashChangesNoName() throws {
        let folder = try Folder()
        try folder.write("", to: "a-2025-11-17.csv")
        for base in [folder.path, "/" + folder.path + "//"] {
            let feed = Feed(kind: .orders, path: base + "/a-{date}.csv", name: "a")
            #expect(
                try findFiles(of: [feed], base: base, through: BusinessDate("2025-11-18")!).map(\.name)
                    == ["a-2025-11-17.csv"])
        }
    }

    @Test func aStarStandsForPartOfOneNameButNoLeadingPoint() throws {
        let files = [
            "in/2025-11-18/a.csv", "in/2025-11-18/.b.csv", "in/2025-11-18/deep/c.csv", "in/2025-11-17/a.csv.gz",
            "in/x/a.csv",
        ]
        #expect(
            try names(["in/{date}/*.csv*"], of: files) == [
                "0 in/2025-11-17/a.csv.gz 2025-11-17", "0 in/2025-11-18/a.csv 2025-11-18",
            ])
        #expect(try names(["in/*/a*"], of: files).count == 3)
    }

    @Test func totalsBesideAFileAreNoFileOfTheFeed() throws {
        let files = ["o-2025-11-18.csv", "o-2025-11-18.csv.totals", "o-2025-11-18.csv.gz"]
        #expect(
            try names(["o-{date}.csv*"], of: files) == [
                "0 o-2025-11-18.csv 2025-11-18", "0 o-2025-11-18.csv.gz 2025-11-18",
            ])
        #expect(try names(["o-{date}.*.totals"], of: files) == ["0 o-2025-11-18.csv.totals 2025-11-18"])
    }

    @Test func twoDatesInOnePathMustAgree() throws {
        let files = ["2025-11-17/o-2025-11-17.csv", "2025-11-17/o-2025-11-18.csv"]
        #expect(try names(["{date}/o-{date}.csv"], of: files) == ["0 2025-11-17/o-2025-11-17.csv 2025-11-17"])
    }

    @Test func aFolderThatIsMissingHoldsNothing() throws {
        #expect(try names(["no/such/{date}.csv", "nor-this.csv"], of: []).isEmpty)
    }

    @Test func aFileElsewhereIsShownByItsWholePath() throws {
        let folder = try Folder()
        try folder.write("", to: "a.csv")
        let feed = Feed(kind: .orders, path: folder.path + "/a*", name: "a*")
        #expect(
            try findFiles(of: [feed], base: "/somewhere/else", through: testDate).map(\.name) == [
                folder.path + "/a.csv"
            ])
    }
}
