import Foundation
import Testing

@testable internal import Reconcile

/// Who may read the files of a night, and which links the program follows.
@Suite struct SecrecyTests {
    private let shop: ShopFolder

    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<3, night: 0)
    }

    private func night(_ before: String) throws -> Ended {
        try Program.shell(
            before + "; $R nightly --config reconcile.json --date 2025-11-01 --as-of 2025-11-02T04:00:00Z",
            in: shop.folder.path)
    }

    /// The modes of everything that the program created.
    private func modes() throws -> Set<String> {
        let ended = try Program.shell(
            "find out ledger.sqlite* ! -type l -printf '%y %m\\n' | sort -u", in: shop.folder.path)
        return Set(ended.output.split(separator: "\n").map(String.init))
    }

    @Test(arguments: ["umask 000", "umask 022", "umask 777"])
    func whatANightMakesIsItsOwnersAloneWhateverTheUmask(_ umask: String) throws {
        #expect(try night(umask).code == 0)
        #expect(try modes() == ["d 700", "f 600"])
    }

    @Test func theConfiguredGroupReadsAndNothingMore() throws {
        let name = try Program.shell("id -gn").output.trimmingCharacters(in: .whitespacesAndNewlines)
        let text = try shop.folder.read("reconcile.json").replacing("timeZone:", with: "group: \"\(name)\", timeZone:")
        try shop.folder.write(text, to: "reconcile.json")
        #expect(try night("umask 077").code == 0)
        // The lock file says who is running, so only its owner may read it.
        #expect(try modes() == ["d 750", "f 640", "f 600"])
        let closed = try Program.shell("find out ledger.sqlite* -type f -perm 600", in: shop.folder.path).output
        #expect(closed == "ledger.sqlite.lock\n")
        #expect(try shop.run(["check"]).code == 0)
    }

    @Test(arguments: ["ledger.sqlite.lock", "out/.nights", "out/.nights/2025-11-01-1", "out/.2025-11-01.new"])
    func aPlantedLinkIsNotFollowed(_ name: String) throws {
        let elsewhere = shop.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(
            atPath: shop.folder.path + "/out/.nights", withIntermediateDirectories: true)
        if name == "out/.nights" { rmdir(shop.folder.path + "/out/.nights") }
        let isFolder = name.hasPrefix("out/.nights")
        if isFolder { mkdir(elsewhere, 0o700) } else { try shop.folder.write("theirs", to: "elsewhere") }
        symlink(elsewhere, shop.folder.path + "/" + name)
        let ended = try night(":")
        #expect(ended.code == 0 || ended.code == 73, "\(ended.errors)")
        if isFolder {
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
        } else {
            #expect(try shop.folder.read("elsewhere") == "theirs")
        }
    }

    @Test func aFileOfTheRepositoryThatIsNoFolderIsNotUsedAsOne() throws {
        try shop.folder.write("mine", to: "out")
        #expect(try night(":").code == 73)
        #expect(try shop.folder.read("out") == "mine")
    }
}
