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
        /// Standard output, and standard error with it, as they came.
        public let output: String
    }

    /// Runs a program to its end, and holds the thread.
    /// - Parameter environment: what replaces or joins the variables of this process.
    public static func run(_ words: [String], environment: [String: String] = [:]) throws -> Result {
        let output = try OutputFile()
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let program = try RunningProgram(words, environment: variables, output: output.handle, errors: output.handle)
        return try output.result(program.exitCode(within: .never) ?? -1)
    }

    /// Runs a program to its end without holding the thread: there are few, and what the program waits for may need one.
    /// - Parameter keepsErrors: whether standard error is part of the output, or goes where that of this process goes.
    public static func completion(of words: [String], keepsErrors: Bool = true) async throws -> Result {
        let output = try OutputFile()
        let errors = keepsErrors ? output.handle : nil
        let program = try RunningProgram(words, output: output.handle, errors: errors)
        return try output.result(await program.exitCode())
    }

    /// What a program prints. A pipe would have to be read while it prints.
    private final class OutputFile {
        private let file = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "output-\(UUID().uuidString)")
        let handle: FileHandle

        init() throws {
            try Data().write(to: file)
            handle = try FileHandle(forWritingTo: file)
        }

        deinit {
            try? handle.close()
            try? FileManager.default.removeItem(at: file)
        }

        func result(_ status: Int32) throws -> Result {
            Result(status: status, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
        }
    }

    /// Calls `body` with a folder of its own that is gone afterwards.
    public static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "alcove-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
