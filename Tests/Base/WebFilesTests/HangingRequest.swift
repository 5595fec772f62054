import Foundation
import Platform
import ProgramRunner

/// A connection that sends something and then neither sends more nor ends.
final class HangingRequest {
    struct Failed: Error {}

    private let descriptor: Int32
    private var isOpen = true

    init(port: Int, _ text: String) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let bytes = Array(text.utf8)
        guard status == 0, write(descriptor, bytes, bytes.count) == bytes.count else { throw Failed() }
    }

    deinit { end() }

    func end() {
        if isOpen { close(descriptor) }
        isOpen = false
    }
}

/// A server of uploads in a process of its own, to be killed.
final class KilledServer {
    let port: Int
    private let program: RunningProgram
    private let input = Pipe()

    /// - Parameter folder: where it keeps uploads.
    init(_ folder: String) throws {
        let output = Pipe()
        program = try RunningProgram(
            [Program.products.appending(path: "upload-crash-helper").path, folder],
            input: input.fileHandleForReading, output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw HangingRequest.Failed() }
        self.port = port
    }

    /// Returns when it is gone.
    func kill() {
        program.signal(SIGKILL)
        _ = program.exitCode(within: .seconds(60))
    }

    deinit { kill() }
}
