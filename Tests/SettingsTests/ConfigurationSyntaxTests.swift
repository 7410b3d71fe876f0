import Base
import Domain
import Testing

@testable import Console

@Test(
    arguments: [
        ("", 1, 1, "expected a value"), ("{", 1, 1, "'{' is never closed"), ("{a:1", 1, 1, "never closed"),
        ("{\n a: 1\n b: 2\n}", 3, 2, "expected ',' or '}', found 'b'"), ("{\n a 1\n}", 2, 4, "expected ':' after 'a'"),
        ("{\n a:,\n}", 2, 4, "expected a value"), ("{,}", 1, 2, "expected a key"), ("[,]", 1, 2, "expected a value"),
        ("[1,,2]", 1, 4, "expected a value"), ("{}\n{}", 2, 1, "after the end"), ("{a:b}", 1, 4, "'b' is not a value"),
        ("{a:1h}", 1, 4, "'1h' is not a value"), ("{a:0x10}", 1, 4, "'0x10' is not a value"),
        ("{a:Infinity}", 1, 4, "not a value"),
        ("{a:1,\n\n 'a':2}", 3, 2, "'a' occurs twice"), ("['a\n']", 1, 2, "is not closed"),
        ("['a", 1, 2, "is not closed"),
        ("\n/* x", 2, 1, "this comment is not closed"), ("['\\u12']", 1, 7, "hexadecimal digit"),
        ("['\\ud83d']", 1, 5, "half a character"), ("['\\1']", 1, 3, "is not an escape"),
        ("{1a:2}", 1, 2, "expected a key"),
        ("[1}", 1, 3, "expected ',' or ']'"), ("# x", 1, 1, "expected a value, found '#'"),
        ("{a:1}}", 1, 6, "after the end"),
        ("{a:\r\n\r\n!}", 3, 1, "expected a value"), ("{a:\r\r!}", 3, 1, "expected a value"),
        ("1.2.3", 1, 1, "is not a value"),
        ("[.]", 1, 2, "is not a value"), ("[+]", 1, 2, "is not a value"), ("[1e]", 1, 2, "is not a value"),
        ("[1e+]", 1, 2, "is not a value"),
        ("[e5]", 1, 2, "is not a value"), ("[+-1]", 1, 2, "is not a value"), ("[1-2]", 1, 2, "is not a value"),
        ("[1e2.5]", 1, 2, "is not a value"),
        ("[1e2e3]", 1, 2, "is not a value"),
    ] as [(String, Int, Int, String)])
func whatIsNoJSON5IsNamedWithItsPlace(_ document: String, _ line: Int, _ column: Int, _ message: String) throws {
    let problem = #expect(throws: ConfigurationProblem.self) {
        try ConfigurationReader(file: "/c/reconcile.json").read(document)
    }
    #expect(problem?.position == JSON5.Position(line: line, column: column))
    #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
}

/// The sample with pieces cut out, doubled or strewn in is a configuration or a problem within it, never a trap.
@Test func anyTextIsReadOrIsAProblemWithAPlace() {
    let seed: UInt64 = 78
    var random = SplitMix64(seed: seed)
    let sample = Array(sampleConfiguration.unicodeScalars)
    let strewn = Array("{}[]:,'\"\\/*\n0.e-\u{0}é".unicodeScalars)
    for _ in 0..<300 {
        var scalars = sample
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let start = Int.random(in: 0..<scalars.count, using: &random)
            let piece = start..<min(scalars.count, start + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0...2, using: &random) {
            case 0: scalars.removeSubrange(piece)
            case 1: scalars.insert(contentsOf: scalars[piece], at: start)
            default: scalars.insert(strewn.randomElement(using: &random)!, at: start)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let lines = text.count { $0 == "\n" } + 1
        do {
            _ = try ConfigurationReader(file: "/c/reconcile.json").read(String(text))
        } catch {
            #expect((1...lines).contains(error.position.line) && !error.remedy.isEmpty, "seed \(seed): \(error)")
        }
    }
}
