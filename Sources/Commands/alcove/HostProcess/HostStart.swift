import Foundation
import Host
import Networking
import Platform

/// Starts the host process of a profile in the background, for a command that finds none.
///
/// Several commands may do so at once: the lock of the profile decides which process becomes the host, and all attach to it.
struct HostStart {
    private let arguments: Arguments
    private let profile: String
    private let hearsOfMove: @Sendable (_ done: Int, _ all: Int) -> Void

    /// - Parameter hearsOfMove: hears each second how many messages of an older profile have been moved, and of how many.
    init(_ arguments: Arguments, hearsOfMove: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }) {
        (self.arguments, self.hearsOfMove) = (arguments, hearsOfMove)
        profile = ProfileOptions.absolute(ProfileOptions.path(arguments))
    }

    /// How long a new process may take until it listens: a large profile is read from a slow disk.
    private static let patience = Duration.seconds(60)
    /// How long somebody who has the profile for a moment is waited for.
    private static let lockPatience = Duration.seconds(3)
    /// Bytes that are read of the reason why a process did not start.
    private static let reasonLimit = 4096

    /// Starts it and attaches.
    /// - Parameter front: whether a person looks.
    /// - Throws: `CommandFailure` with the reason of the process if it does not start.
    func host(front: Bool) async throws -> RemoteHost {
        let deadline = ContinuousClock.now + Self.lockPatience
        while true {
            let (reason, process) = try await start()
            if let host = try await ProfileOptions.hostProcess(arguments, front: front) {
                return await guarded(host)
            }
            let code = await Self.exitCode(of: process)
            // Another process has the profile. It may be a host that does not listen yet, or a short command.
            let isInUse = code == ExitCode.temporaryFailure.rawValue
            guard isInUse, .now < deadline else {
                throw CommandFailure(
                    reason.isEmpty ? "the host process did not start; see \(HostLog.path(of: profile))" : reason,
                    code.flatMap(ExitCode.init) ?? .unavailable)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The same host; if its process is killed, another one is started as that one was: a command that did not ask for relays alone must not show
    /// the address of a person who did.
    func guarded(_ host: RemoteHost) async -> RemoteHost {
        await host.ifKilled { options in _ = try? await start(options) }
        return host
    }

    /// Starts a process, and waits until it listens or has ended.
    /// - Returns: what it said, and its number.
    private func start(_ options: [String: [String]]? = nil) async throws -> (reason: String, process: pid_t) {
        let pipe = Pipe()
        var start = ProgramStart([Self.program] + words(options ?? ProfileOptions.hostOptions(arguments)))
        // It closes its standard error when it listens, so the end of it says that there is nothing more to wait for.
        start.streams = [2: .descriptor(pipe.fileHandleForWriting.fileDescriptor)]
        start.group = .session
        let (process, error) = start.start()
        try? pipe.fileHandleForWriting.close()
        guard error == 0 else {
            throw CommandFailure(
                "the host process cannot be started: \(String(cString: strerror(error)))", .unavailable)
        }
        return (try await read(pipe.fileHandleForReading), process)
    }

    /// The path of this program, as it was when the process started.
    static let program = Bundle.main.executablePath ?? CommandLine.arguments[0]

    private func words(_ options: [String: [String]]) -> [String] {
        ["host", "run", "--log", "--idle=1m", "--profile=\(profile)"]
            + options.sorted { $0.key < $1.key }.flatMap { name, values in
                values.map { $0.isEmpty ? "--\(name)" : "--\(name)=\($0)" }
            }
    }

    /// What the process says until it closes its standard error. A person who waits longer than a second hears what for.
    private func read(_ output: FileHandle) async throws -> String {
        defer { try? output.close() }
        let descriptor = output.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var start = ContinuousClock.now
        var (said, hasTold) = ([UInt8](), false)
        var part = [UInt8](repeating: 0, count: Self.reasonLimit)
        while .now - start < Self.patience {
            let count = Foundation.read(descriptor, &part, part.count)
            if count > 0, let progress = MoveProgress.line(String(decoding: part[..<count], as: UTF8.self)) {
                (start, hasTold) = (.now, true)
                Terminal.log("\(progress)")
                if let (done, all) = MoveProgress.numbers(progress) { hearsOfMove(done, all) }
                continue
            }
            if count > 0 { said += part[..<min(count, Self.reasonLimit - said.count)] }
            if count == 0 { return Self.sentence(said) }
            if count < 0, errno != EAGAIN, errno != EINTR { return Self.sentence(said) }
            if !hasTold, .now - start > .seconds(1) {
                hasTold = true
                Terminal.log("starting the host process of this profile…")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailure("the host process did not start within a minute; try again", .temporaryFailure)
    }

    private static func sentence(_ said: [UInt8]) -> String {
        let text = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.hasPrefix("alcove: ") ? String(text.dropFirst("alcove: ".count)) : text
    }

    /// The exit code of a child; `nil` if it goes on. One that has closed its standard error to end has ended a moment later.
    private static func exitCode(of process: pid_t) async -> Int32? {
        for _ in 0..<20 {
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status & 0x7f == 0 ? (status >> 8) & 0xff : -1 }
            if ended < 0 { return nil }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }
}
