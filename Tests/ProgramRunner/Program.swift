import Dispatch
public import Foundation

/// Runs compilers, and what they made, for tests.
public enum Program {
    /// The root of the repository.
    public static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Where the products lie that `swift test` built: beside the test bundle.
    public static let products = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()

    public struct Result: Sendable {
        public let status: Int32
        /// Standard output and standard error, as they came.
        public let output: String
    }

    /// Runs a program to its end.
    /// - Parameter environment: what replaces or joins the variables of this process.
    public static func run(_ words: [String], environment: [String: String] = [:]) throws -> Result {
        let file = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let output = try FileHandle(forWritingTo: file)
        process.standardOutput = output
        process.standardError = output
        // `waitUntilExit` turns a run loop and can miss the exit on a thread that has none.
        let exited = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in exited.signal() }
        try process.run()
        exited.wait()
        try output.close()
        return Result(
            status: process.terminationStatus, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    /// Calls `body` with a folder of its own that is gone afterwards.
    public static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "alcove-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
