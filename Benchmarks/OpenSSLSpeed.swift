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
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // "+F5:3:256:13441.414141:0.000074"
        let line = text.split(separator: "\n").last { $0.hasPrefix("+F5:") }
        guard let rate = line?.split(separator: ":").dropFirst(3).first.flatMap({ Double($0) }) else {
            throw NoFigure()
        }
        return rate
    }
}
