import Foundation

/// Where the figures were measured: without it they mean nothing.
struct Machine: Codable, Sendable {
    var system: String
    var processor: String
    var cores: Int
    var memoryMegabytes: Int
    /// Load averages over 1, 5 and 15 minutes before the run; a busy machine makes noise.
    var load: [Double]
    var isRelease: Bool

    static var this: Machine {
        let process = ProcessInfo.processInfo
        var averages = [Double](repeating: 0, count: 3)
        let known = getloadavg(&averages, 3)
        return Machine(
            system: process.operatingSystemVersionString, processor: processorName,
            cores: process.activeProcessorCount, memoryMegabytes: Int(process.physicalMemory >> 20),
            load: Array(averages.prefix(max(0, Int(known)))), isRelease: isReleaseBuild)
    }

    /// Memory that a process really occupies, in bytes: this one, or the one with the given id.
    static func residentBytes(of process: Int32? = nil) -> Int {
        let name = process.map(String.init) ?? "self"
        let text = (try? String(contentsOfFile: "/proc/\(name)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    private static var processorName: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown"
    }

    private static var isReleaseBuild: Bool {
        #if DEBUG
        false
        #else
        true
        #endif
    }
}
