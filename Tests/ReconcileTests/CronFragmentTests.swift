import Foundation
import Testing

/// The wrapper knows some messages by words of them. Whoever rewords such a message finds here that the wrapper reads it.
@Test func theProgramStillSaysWhatTheWrapperReads() throws {
    let wrapper = try String(contentsOfFile: Program.repository + "/cron/reconcile-nightly", encoding: .utf8)
    let patterns = wrapper.split(separator: "\n").compactMap { $0.prefixMatch(of: #/ {4}[0-9]+:.*?\)(?: |$)/#)?.output }
    let recognized = patterns.flatMap { $0.matches(of: #/'([^']+)'|"([^"]+)"/#) }.map {
        String($0.output.1 ?? $0.output.2!)
    }
    #expect(recognized.count > 15)
    let elsewhere = ["the input is unusual", "the clock may be ahead", " is a coverage gap ("]
    for fragment in elsewhere { #expect(wrapper.contains(fragment), "take it from this test: \(fragment)") }
    let doubts = ["columns", "product list", "goods on record", "renewals"]
    for doubt in doubts { #expect(wrapper.contains("|" + doubt), "take it from this test: \(doubt)") }
    // What is put together, as the source has it.
    let literals = [
        " of memory, but only ": "but only \\(Self.size(", "cannot link ": "cannot: \"link\"",
        ": process ": "\"process \\(getpid())",
    ]
    let systems = [EISDIR, ENOSPC, EDQUOT, EROFS].map { ": " + String(cString: strerror($0)) }
    for fragment in recognized + elsewhere + doubts.map({ "doubt(\"\($0)\"," })
    where !systems.contains(where: { $0.contains(fragment) }) {
        let ended = try Program.shell(
            "{ grep -rhFe \"$F\" Sources templates; sed '/^recipe() {/,/^}/d' cron/reconcile-nightly | grep -Fe \"$F\"; }"
                + " | grep -vqE '^ *(///?|#)'",
            in: Program.repository, ["F": literals[fragment] ?? fragment])
        #expect(ended.code == 0, "no message says '\(fragment)' any more: change cron/reconcile-nightly, too")
    }
}
