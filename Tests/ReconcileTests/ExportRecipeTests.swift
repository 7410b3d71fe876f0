internal import Foundation
internal import Testing

/// The exports of examples/export, run on servers of their own: the short form of the soak test. An odd shop is exported
/// and reconciled, a purchase is committed during an export, and a client is killed.
@Suite struct ExportRecipeTests {
    private static let python = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private static func has(_ pattern: String) -> Bool {
        python && (try? Program.shell("compgen -G '\(pattern)'").code) == 0
    }
    private static let postgresql = has("/usr/lib/postgresql/*/bin/initdb")
    private static let mariadb = has("/usr/sbin/mariadbd")

    @Test(.enabled(if: postgresql, "PostgreSQL's server is not installed"))
    func anExportFromPostgreSQLIsOfOneMoment() throws { try play("postgresql", "PostgreSQL") }

    @Test(.enabled(if: mariadb, "MariaDB's server is not installed"))
    func anExportFromMariaDBIsOfOneMoment() throws { try play("mysql", "MariaDB") }

    private func play(_ recipe: String, _ name: String) throws {
        let trial = "RECONCILE=$R PYTHONDONTWRITEBYTECODE=1 scripts/soak.d/export --quick --only \(recipe)"
        let ended = try Program.shell(trial, in: Program.repository)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("\(name) 58 rows, 24 purchases judged"), "\(ended.output)")
    }
}
