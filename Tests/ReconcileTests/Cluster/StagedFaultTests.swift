import Domain
import Engine
import Foundation
import Testing

@testable import Console
@testable import Reconcile

/// An engine that makes a mistake publishes nothing, and the last stage that ran says what is wrong.
@Suite struct StagedFaultTests {
    /// What each mistake ends with.
    private static let outcomes: [StagedNights.Fault: (code: ExitCode, message: String)] = [
        .partTwice: (.internalError, "1 line was taken and 2 judged"),
        .partLost: (.internalError, "taken and "), .rowLost: (.internalError, "taken and "),
        .rowAltered: (.internalError, "of the stream was altered: its sum does not agree"),
        .rowsScattered: (.internalError, "a bundle was cut"), .ownKeyNotTied: (.internalError, "a bundle was cut"),
        .lastTieLost: (.internalError, "a bundle was cut"),
        .ownersLeftOut: (.inputRefused, "the owner of the token 00000000-0000-0007-0000-00000000000"),
        .ownersCutShort: (.internalError, "the owners of tokens depend on "),
        .findingLost: (.internalError, "the parts wrote"), .findingTwice: (.internalError, "the parts wrote"),
        .exitIgnored: (.internalError, "taken and "), .endIgnored: (.internalError, "the parts wrote"),
        .evidenceOfANightLost: (.internalError, "taken and 0 judged"),
        .entriesLost: (.internalError, "exceptions are followed, and 0 were judged"),
        .otherProgram: (.configuration, "was written by another program or version"),
        .otherPlan: (.configuration, "the stream is of another plan, stage or program"),
        .basisOnce: (.internalError, "the stage basis was not run again"),
    ]

    @Test func aMistakePublishesNothingAndIsNamed() throws {
        let folder = try StagedShop.folder()
        try StagedShop.deliver(0, into: folder)
        try StagedShop.deliverByDesk(into: folder)
        var nights = StagedNights(folder, parts: 3)
        try #require(try nights.run(moment(0)).code == .done)
        try StagedShop.deliver(1, into: folder)
        let taken = try #require(try nights.take(moment(1)))
        let before = try folder.files()
        for fault in StagedNights.Fault.allCases {
            nights.fault = fault
            let outcome = try nights.judge(taken)
            let expected = try #require(Self.outcomes[fault])
            #expect(outcome.code == expected.code && outcome.errors.contains(expected.message), "\(fault): \(outcome)")
            let after = try folder.files()
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            #expect(changed == [], "\(fault)")
        }
        nights.fault = nil
        #expect(try nights.judge(taken).code == .done)
        // Another driver, with the same plan, comes too late.
        let late = try nights.judge(taken)
        #expect(late.code == .busy && late.errors.contains("another run has changed the ledger"), "\(late)")
    }

    /// A line `taken` says that the file was read, or why it is refused. Any other line is not accepted.
    @Test(arguments: ["{}", #"{"read":null}"#, #"{"refused":{"_0":{}}}"#])
    func aTakenFileIsReadOrRefused(_ outcome: String) throws {
        let evidence = #"{"delivery":1,"lines":0,"sum":0}"#
        let text = #"{"evidence":\#(evidence),"hasOrders":false,"hasTokens":false,"number":1,"outcome":\#(outcome)}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ClusterTaken.self, from: Data(text.utf8))
        }
    }
}

extension NightFolder {
    /// Every file of the folder but those of the stages, with its content; a link with its target.
    fileprivate func files() throws -> [String: Data] {
        let manager = FileManager.default
        var files: [String: Data] = [:]
        for name in try manager.subpathsOfDirectory(atPath: folder.path) where !name.hasPrefix("stages") {
            let path = folder.path + "/" + name
            if let target = try? manager.destinationOfSymbolicLink(atPath: path) {
                files[name] = Data(target.utf8)
            } else {
                files[name] = manager.contents(atPath: path) ?? Data()
            }
        }
        return files
    }
}
