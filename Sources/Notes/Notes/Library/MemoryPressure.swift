internal import CRDTBridge
internal import Foundation

/// Whether this machine runs short of memory.
///
/// On Apple platforms the system says so. On Linux one looks: what says so there (pressure stall information) is not open to every
/// process, and not in every container.
enum MemoryPressure {
    #if canImport(Darwin)
    /// Each time that memory runs short.
    static func signs() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
            source.setEventHandler { continuation.yield() }
            continuation.onTermination = { _ in source.cancel() }
            source.activate()
        }
    }
    #else
    /// Each time that memory is found short.
    static func signs() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let looking = Task {
                while (try? await Task.sleep(for: pace)) != nil {
                    guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { continue }
                    if isShort(text) { continuation.yield() }
                }
            }
            continuation.onTermination = { _ in looking.cancel() }
        }
    }

    private static let pace = Duration.seconds(10)
    #endif

    /// Whether less than a twentieth of the memory can be had.
    /// - Parameter text: what Linux has in `/proc/meminfo`.
    static func isShort(_ text: String) -> Bool {
        var kilobytes: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count >= 2, let number = Int(words[1]) { kilobytes[words[0]] = number }
        }
        guard let total = kilobytes["MemTotal:"], let available = kilobytes["MemAvailable:"] else { return false }
        return available < total / 20
    }
}

extension NoteLibrary {
    /// Lets go of documents that were not used last; they are read again when they are needed. Happens by itself when memory runs
    /// short while the library watches its folder.
    package func releaseMemory() {
        bridge.assumeIsolated { $0.releaseMemory(keeping: 1) }
    }

    func releaseWhenMemoryIsShort() -> Task<Void, Never> {
        Task { [weak self] in
            for await _ in MemoryPressure.signs() { await self?.releaseMemory() }
        }
    }
}
