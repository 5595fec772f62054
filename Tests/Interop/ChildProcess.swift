import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A foreign program that runs until it is ended.
final class ChildProcess: Sendable {
    let process = Process()
    private let exited = DispatchSemaphore(value: 0)

    init(program: URL, arguments: [String], input: Any? = nil, output: Any? = FileHandle.nullDevice) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        // `waitUntilExit` turns a run loop and can miss the exit on a thread that has none.
        process.terminationHandler = { [exited] _ in exited.signal() }
        try process.run()
    }

    /// Waits a moment for the program to go by itself, then makes it go.
    func end(grace: DispatchTimeInterval) {
        if exited.wait(timeout: .now() + grace) == .success { return }
        kill(process.processIdentifier, SIGKILL)
        _ = exited.wait(timeout: .now() + .seconds(5))
    }
}
