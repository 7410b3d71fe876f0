import Foundation
import Testing

@testable import Demo

@Test func aSampleWithoutAFolderSaysWhatCannotBeCreated() {
    let folder = "/nonexistent-\(UUID().uuidString)"
    let sample = SampleFolder(path: folder, orders: 10, seed: 1)
    #expect(throws: SampleError(task: .create, path: folder + "/inbox", code: ENOENT)) {
        try sample.write(checkpoint: {})
    }
    #expect(throws: SampleError.self) { try sample.deliverLateFile() }
}

@Test func aFileThatExistsIsNotOverwritten() throws {
    let path = NSTemporaryDirectory() + "demo-tests-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = SampleFile(path)
    try first.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\n")
    let second = SampleFile(path)
    second.write([65])
    #expect(throws: SampleError(task: .create, path: path, code: EEXIST)) { try second.finish() }
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
