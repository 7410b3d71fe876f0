internal import Foundation
internal import Reports

/// What differs from a folder of reports as it was published, one sentence each.
///
/// - Parameter digest: of its SHA256SUMS, hexadecimal.
func publishedProblems(_ path: String, digest: String, _ texts: Texts = .english) -> [String] {
    var problems: [String] = []
    guard let sums = FileManager.default.contents(atPath: path + "/SHA256SUMS") else {
        return [texts.closing(.incomplete, path)]
    }
    if sums.withUnsafeBytes({ SHA256.digest(of: $0) }).hex != digest {
        problems.append(texts.closing(.fileChanged, "SHA256SUMS"))
    }
    var known: Set<String> = ["SHA256SUMS", "metrics.prom"]
    for line in String(decoding: sums, as: UTF8.self).split(separator: "\n") {
        let name = String(line.dropFirst(66))
        known.insert(name)
        let content = try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name), options: .alwaysMapped)
        let found = content.map { $0.withUnsafeBytes { SHA256.digest(of: $0) }.hex }
        if found != String(line.prefix(64)) { problems.append(texts.closing(.fileChanged, name)) }
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return problems + names.filter { !known.contains($0) }.ordered().map { texts.closing(.foreignFile, $0) }
}
