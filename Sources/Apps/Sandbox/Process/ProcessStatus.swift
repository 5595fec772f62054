#if os(Linux)
internal import Platform

/// What the kernel knows of a process: files of `/proc/<process>`, which stay open, so that a later process of the same number
/// is never mistaken for it.
struct ProcessStatus: Sendable {
    private let stat: Int32
    private let status: Int32

    struct Figures: Hashable, Sendable {
        /// Bytes that it takes of the machine: in memory, in swap, and in the kernel's tables of what lies where, of which reading alone makes
        /// some.
        var memory: Int
        var threads: Int
        /// Time that all its threads have computed.
        var processorTime: Duration
    }

    /// - Parameter report: what bubblewrap wrote to its `--info-fd`.
    init?(report: String) {
        guard let key = report.firstRange(of: "\"child-pid\":") else { return nil }
        let digits = report[key.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }
        guard let process = Int32(digits) else { return nil }
        let folder = open("/proc/\(process)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { Glibc.close(folder) }
        stat = openat(folder, "stat", O_RDONLY | O_CLOEXEC)
        status = openat(folder, "status", O_RDONLY | O_CLOEXEC)
        guard stat >= 0, status >= 0 else {
            close()
            return nil
        }
    }

    func close() { for descriptor in [stat, status] where descriptor >= 0 { Glibc.close(descriptor) } }

    /// `nil` once it is gone.
    var figures: Figures? {
        guard let time = Self.text(of: stat).flatMap(Self.processorTime),
            let (memory, threads) = Self.text(of: status).flatMap(Self.memoryAndThreads)
        else { return nil }
        return Figures(memory: memory, threads: threads, processorTime: time)
    }

    private static func text(of descriptor: Int32) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }

    /// proc_pid_stat(5): the name, in parentheses, may hold anything; 14 and 15 are times in ticks.
    static func processorTime(in stat: String) -> Duration? {
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].split(separator: " ").dropFirst().map { Int($0) }
        guard fields.count > 12, let user = fields[11], let system = fields[12] else { return nil }
        let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
        return .milliseconds((user &+ system).multipliedReportingOverflow(by: 1000).partialValue / ticks)
    }

    /// proc_pid_status(5): lines as `VmRSS:     1234 kB`. A process that has ended has no lines about memory.
    static func memoryAndThreads(in status: String) -> (memory: Int, threads: Int)? {
        var numbers: [Substring: Int] = [:]
        for line in status.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let number = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
            numbers[line[..<colon]] = Int(number)
        }
        guard let resident = numbers["VmRSS"], let threads = numbers["Threads"] else { return nil }
        let kibibytes = resident + (numbers["VmSwap"] ?? 0) + (numbers["VmPTE"] ?? 0)
        let (memory, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return (overflow ? .max : memory, threads)
    }
}
#endif
