import Foundation

/// A line of the shell, run to its end: what it printed and how it ended.
struct Shell {
    let code: Int32
    let output: String

    /// Waits without holding a thread: there are only as many as processors, and what the line waits for may need one, too.
    init(_ line: String) async throws {
        // A pipe would stay open in whatever other process is started at this moment.
        let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: file)
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        output = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        code = process.terminationStatus
    }
}
