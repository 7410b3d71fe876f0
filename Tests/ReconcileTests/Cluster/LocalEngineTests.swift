import Domain
import Engine
import Foundation
import Testing

@testable import Reconcile

/// contrib/local/reconcile_local.py says byte for byte what `nightly` says, also where everything is judged twice.
@Suite struct LocalEngineTests {
    @Test func theScriptSaysTheSame() throws {
        let (alone, staged) = (try StagedShop.folder(), try StagedShop.folder())
        for number in [0, 1] {
            for folder in [alone, staged] {
                try StagedShop.deliver(number, into: folder)
                if number == 1 { try StagedShop.deliverByDesk(into: folder) }
            }
            let (first, second) = (try alone.night(moment(number)), try run(moment(number), in: staged))
            #expect(first.code.rawValue == second.code && first.output == second.output, "\(second.errors)")
            #expect(try alone.reports(day(number).text) == staged.reports(day(number).text))
        }
        #expect(try staged.folder.read("lake/scratch/basis.json").contains(#""deskOrders":[["ORD9"#))
        // The night is on record already.
        #expect(try run(moment(1), in: staged).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: staged.folder.path + "/lake/evidence").count == 2)
    }

    private func run(_ moment: RunTime, in folder: NightFolder) throws -> Ended {
        try Program.shell(
            "python3 \(Program.repository)/contrib/local/reconcile_local.py --program $R --config reconcile.json "
                + "--lake lake --parts 3 --as-of=\(moment.asOf.text) --date=\(moment.businessDate.text)",
            in: folder.folder.path)
    }
}
