package import Dispatch
package import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A foreign program that runs until it is ended, and never longer than the tests.
package final class ChildProcess: Sendable {
    package let process = Process()
    private let exited = DispatchSemaphore(value: 0)

    /// Where Linux keeps the program that ends another one with its parent (util-linux).
    private static let leash = "/usr/bin/setpriv"

    package init(program: URL, arguments: [String], input: Any? = nil, output: Any? = FileHandle.nullDevice) throws {
        if FileManager.default.isExecutableFile(atPath: Self.leash) {
            process.executableURL = URL(filePath: Self.leash)
            process.arguments = ["--pdeathsig", "KILL", program.path] + arguments
        } else {
            process.executableURL = program
            process.arguments = arguments
        }
        process.standardInput = input
        process.standardOutput = output
        // `waitUntilExit` turns a run loop and can miss the exit on a thread that has none.
        let gone = DispatchSemaphore(value: 0)
        process.terminationHandler = { [exited] _ in
            exited.signal()
            gone.signal()
        }
        try start { gone.wait() }
    }

    /// Starts the program from a thread that stays: the kernel takes the end of the thread for that of the parent.
    private func start(_ stay: @escaping @Sendable () -> Void) throws {
        let (process, started) = (process, DispatchSemaphore(value: 0))
        let failure = Mutex<(any Error)?>(nil)
        Thread.detachNewThread {
            do {
                try process.run()
            } catch {
                failure.withLock { $0 = error }
            }
            started.signal()
            if process.isRunning { stay() }
        }
        started.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Waits a moment for the program to go by itself, then makes it go.
    package func end(grace: DispatchTimeInterval) {
        if exited.wait(timeout: .now() + grace) == .success { return }
        kill(process.processIdentifier, SIGKILL)
        _ = exited.wait(timeout: .now() + .seconds(5))
    }
}
