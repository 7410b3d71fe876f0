import Foundation
import Testing

/// `packaging/monitoring`: rules and dashboard name metrics that exist.
@Suite struct MonitoringTests {
    private static func read(_ path: String) throws -> String {
        try String(contentsOfFile: Program.repository + "/" + path, encoding: .utf8)
    }

    @Test(arguments: ["reconcile-alerts.yml", "reconcile-dashboard.json"])
    func everyMetricIsInTheSpecification(_ file: String) throws {
        let text = try Self.read("packaging/monitoring/" + file)
        let page = try Self.read("docs/spec/interfaces.md")
        let part = page.components(separatedBy: "<a id=\"metrics\"></a>")[1].components(separatedBy: "<a id=")[0]
        let names = Set(text.matches(of: /reconcile_([a-z0-9_]+)/).map { String($0.output.1) })
        #expect(names.count > 8)
        for name in names { #expect(part.contains("`\(name)`"), "\(name)") }
    }

    @Test func theDashboardIsJSONWithOneQueryForEachPanelOrMore() throws {
        let data = Data(try Self.read("packaging/monitoring/reconcile-dashboard.json").utf8)
        let board = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        #expect(panels.count > 10)
        for panel in panels { #expect((panel["targets"] as? [Any])?.isEmpty == false) }
    }

    /// Only where Prometheus is installed; scripts/soak.d/cron requires it.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool")))
    func theAlertRulesPassTheirTests() throws {
        let ended = try Program.shell(
            "promtool test rules reconcile-alerts.test.yml", in: Program.repository + "/packaging/monitoring")
        #expect(ended.code == 0, "\(ended)")
    }
}
