#if os(Linux)
internal import Foundation

/// A program of the system that is run for its effect.
enum SystemProgram {
    /// - Returns: its exit code; 127 if it cannot be started.
    static func run(_ words: [String]) async -> Int32 {
        guard let program = words.first else { return 127 }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = Array(words.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return await withCheckedContinuation { ended in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                ended.resume(returning: 127)
            }
        }
    }
}
#endif
