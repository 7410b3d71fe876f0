internal import Foundation
internal import Glibc

/// What commands of a feed's file left running, also in sessions of their own and after a collection that was killed.
///
/// A command's environment names its file, and whatever it starts inherits that.
struct Leftovers {
    /// The file's path.
    let path: String
    static let variable = "RECONCILE_FILE"

    /// Ends them: first they are asked to.
    /// - Returns: how many there were.
    @discardableResult func end() -> Int {
        let found = processes
        var left = CommandRun.patience.count
        found.forEach { kill($0, SIGTERM) }
        while case let rest = processes, !rest.isEmpty, left > -1000 {
            if left <= 0 { rest.forEach { kill($0, SIGKILL) } }
            usleep(20_000)
            left -= 20
        }
        return found.count
    }

    /// Those whose environment this user may read.
    private var processes: [pid_t] {
        let mark = "\(Self.variable)=\(path)".utf8
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { id in
            let environment = try? OpenFile("/proc/\(id)/environ", O_RDONLY).read(upTo: 1 << 20)
            return environment.map { $0.split(separator: 0).contains { $0.elementsEqual(mark) } } ?? false
        }
    }
}
