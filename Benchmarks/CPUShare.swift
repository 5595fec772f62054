import Foundation

/// A part of a core that a process may use, so that it is the bottleneck on a machine with few cores: Linux's control
/// groups (version 1 or 2), which root may make.
final class CPUShare {
    private let folder: String

    /// Nil if this machine lets nobody do that.
    init?(_ share: Double, of process: Int32) {
        let name = "alcove-benchmark-\(process)"
        // Short, so that a process that has used its part does not wait for long.
        let period = 20_000
        let quota = Int(share * Double(period))
        for (root, limits) in [
            ("/sys/fs/cgroup/cpu", [("cpu.cfs_period_us", "\(period)"), ("cpu.cfs_quota_us", "\(quota)")]),
            ("/sys/fs/cgroup", [("cpu.max", "\(quota) \(period)")]),
        ] {
            let folder = "\(root)/\(name)"
            guard mkdir(folder, 0o755) == 0 else { continue }
            let lines = limits + [("cgroup.procs", "\(process)")]
            if lines.allSatisfy({ Self.write($0.1, to: "\(folder)/\($0.0)") }) {
                self.folder = folder
                return
            }
            rmdir(folder)
        }
        return nil
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        return Foundation.write(descriptor, bytes, bytes.count) == bytes.count
    }

    /// Call it when the process has ended.
    func remove() {
        // The kernel takes the process out of the group a moment after its parent knows.
        var tries = 0
        while rmdir(folder) != 0, errno == EBUSY, tries < 100 {
            tries += 1
            usleep(10_000)
        }
    }
}
