import Console
import Foundation
import Testing

@testable import Demo

@Test func aSampleWithoutAFolderSaysWhatCannotBeCreated() {
    let folder = "/nonexistent-\(UUID().uuidString)"
    let sample = SampleFolder(path: folder, orders: 10, seed: 1)
    #expect(throws: Failure.system(ENOENT, cannot: "create", folder + "/inbox", otherwise: .cannotCreate)) {
        try sample.write(checkpoint: {})
    }
    #expect(throws: Failure.self) { try sample.deliverLateFile() }
}

@Test func aFileThatExistsIsNotOverwritten() throws {
    let path = NSTemporaryDirectory() + "demo-tests-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try SampleFile(path)
    try first.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\n")
    #expect(throws: Failure.system(EEXIST, cannot: "create", path, otherwise: .cannotCreate)) {
        try SampleFile(path).write([65])
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\n")
}

@Test func aCheckpointEndsTheWork() throws {
    struct Ended: Error {}
    let path = NSTemporaryDirectory() + "demo-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: Ended.self) {
        try SampleFolder(path: path, orders: 500, seed: 1).write { throw Ended() }
    }
}
