internal import Foundation
internal import Testing

/// The queries of examples/export, run as commands of feeds on servers of their own: the short form of the soak test. An odd
/// shop is collected and reconciled.
@Suite struct ExportRecipeTests {
    private static let python = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private static func has(_ pattern: String) -> Bool {
        python && (try? Program.shell("compgen -G '\(pattern)'").code) == 0
    }
    private static let postgresql = has("/usr/lib/postgresql/*/bin/initdb")
    private static let mariadb = has("/usr/sbin/mariadbd")

    @Test(.enabled(if: postgresql, "PostgreSQL's server is not installed"))
    func aShopInPostgreSQLIsCollected() throws { try play("postgresql", "PostgreSQL") }

    @Test(.enabled(if: mariadb, "MariaDB's server is not installed"))
    func aShopInMariaDBIsCollected() throws { try play("mysql", "MariaDB") }

    @Test(.enabled(if: has("/usr/bin/sqlite3"), "sqlite3 is not installed"))
    func aShopInSQLiteIsCollected() throws { try play("sqlite", "SQLite") }

    @Test(arguments: ["postgresql", "mysql", "sqlite"])
    func eachExampleIsAConfiguration(_ recipe: String) throws {
        let ended = try Program.shell(
            "$R settings --config examples/export/\(recipe)/reconcile.json", in: Program.repository)
        #expect(ended.code == 0 && ended.output.contains("\ncommands=4\n"), "\(ended)")
    }

    private func play(_ recipe: String, _ name: String) throws {
        let trial = "RECONCILE=$R PYTHONDONTWRITEBYTECODE=1 scripts/soak.d/export --quick --only \(recipe)"
        let ended = try Program.shell(trial, in: Program.repository)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("\(name) 60 rows, 24 purchases judged"), "\(ended.output)")
    }
}
