#if os(Linux)
internal import Glibc

/// What the kernel knows of a process: `/proc/<process>/stat`, which stays open, so that a later process of the same number
/// is never mistaken for it.
struct ProcessStatus: Sendable {
    private let descriptor: Int32

    struct Figures: Hashable, Sendable {
        /// Bytes in memory.
        var memory: Int
        /// Time that all its threads have computed.
        var processorTime: Duration
    }

    /// - Parameter report: what bubblewrap wrote to its `--info-fd`.
    init?(report: String) {
        guard let key = report.firstRange(of: "\"child-pid\":") else { return nil }
        let digits = report[key.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }
        guard let process = Int32(digits) else { return nil }
        descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// `nil` once it is gone.
    var figures: Figures? {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return nil }
            return Self.figures(in: String(decoding: buffer[..<count], as: UTF8.self))
        }
    }

    /// proc(5): the name, in parentheses, may hold anything; 14 and 15 are times in ticks, 24 is pages.
    static func figures(in text: String) -> Figures? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ").dropFirst().map { Int($0) }
        guard fields.count > 21, let user = fields[11], let system = fields[12], let pages = fields[21] else {
            return nil
        }
        let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
        let size = max(1, sysconf(Int32(_SC_PAGESIZE)))
        let (memory, overflow) = pages.multipliedReportingOverflow(by: size)
        return Figures(
            memory: overflow ? .max : memory,
            processorTime: .milliseconds((user &+ system).multipliedReportingOverflow(by: 1000).partialValue / ticks))
    }
}
#endif
