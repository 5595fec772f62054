import Dispatch
import Foundation

/// What the machine's own OpenSSL does, measured in the same run.
enum OpenSSLSpeed {
    struct NoFigure: Error {}

    static func agreementsPerSecond(_ algorithm: String = "ecdhp256") throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "speed", "-seconds", "1", "-mr", algorithm]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // It ends by an alarm, and a child inherits which signals are blocked: threads of a pool block them all.
        var alarm = sigset_t()
        sigemptyset(&alarm)
        sigaddset(&alarm, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
        // `waitUntilExit` turns a run loop and can miss the exit on a thread that has none.
        let exited = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in exited.signal() }
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        exited.wait()
        // "+F5:3:256:13441.414141:0.000074"
        let line = text.split(separator: "\n").last { $0.hasPrefix("+F5:") }
        guard let rate = line?.split(separator: ":").dropFirst(3).first.flatMap({ Double($0) }) else {
            throw NoFigure()
        }
        return rate
    }
}
