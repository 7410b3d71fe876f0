import Console
import Demo
import Domain
import Glibc

// Generates a night of many purchases; see Benchmarks/README.md. Prints how many exceptions of each verdict a night
// must find.
//   SampleVolume PURCHASES FOLDER [--seed N] [--date YYYY-MM-DD] [--settled] [--credited] [--labels]

func fail(_ message: String) -> Never {
    let line = Array("SampleVolume: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

/// The night that the command line describes. Nil if the command line is wrong.
func requested(_ arguments: [String]) -> VolumeFolder? {
    var operands: [String] = []
    var (seed, date) = (Optional(7), BusinessDate("2025-11-18"))
    var (isProblemFree, marksCredited, hasLabels) = (false, false, false)
    var rest = arguments[...]
    while let word = rest.popFirst() {
        switch word {
        case "--seed": seed = rest.popFirst().flatMap { Int($0) }
        case "--date": date = rest.popFirst().flatMap { BusinessDate($0) }
        case "--settled": isProblemFree = true
        case "--credited": marksCredited = true
        case "--labels": hasLabels = true
        default: operands.append(word)
        }
    }
    guard operands.count == 2, let purchases = Int(operands[0]), (1...VolumeFolder.purchasesMax).contains(purchases),
        let seed, (0...VolumeFolder.seedMax).contains(seed), let date
    else { return nil }
    return VolumeFolder(
        path: operands[1], purchases: purchases, date: date, seed: seed, isProblemFree: isProblemFree,
        marksCredited: marksCredited, hasLabels: hasLabels)
}

guard let night = requested(Array(CommandLine.arguments.dropFirst())) else {
    fail("usage: SampleVolume PURCHASES FOLDER [--seed 0...99] [--date YYYY-MM-DD] [--settled] [--credited] [--labels]")
}
do throws(Failure) {
    try night.write()
} catch {
    fail(error.message)
}
for (verdict, count) in night.expected { print(verdict, count) }
