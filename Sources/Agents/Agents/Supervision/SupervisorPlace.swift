internal import AgentProtocols
internal import Errors
internal import Foundation
internal import Networking
internal import Platform

/// Where a host process finds the supervisors of its agents: sockets in a folder of the profile, each named by its supervisor.
package struct SupervisorPlace: Sendable, Hashable {
    /// This program, which is a supervisor as well.
    package var program: String
    /// Mode 0700; made with the first supervisor.
    package var folder: String

    package init(program: String, folder: String) { (self.program, self.folder) = (program, folder) }

    /// The first word of a command line that has this program be a supervisor; its path follows.
    package static let option = "--supervise-agent"

    func path(of id: String) -> String { "\(folder)/\(id).sock" }

    /// A name that no other supervisor has.
    static func freshID() -> String {
        (0..<2).map { _ in
            let word = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// Whether a name can be one of a supervisor: letters and digits, because it becomes the name of a file.
    static func isID(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 }
    }

    /// Starts a supervisor in a session of its own, so that no terminal and no end of this process ends it.
    /// - Returns: its process.
    func launch(_ id: String) throws(AgentError) -> pid_t {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw AgentError(.cannotStart, "\(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        var start = ProgramStart([program, Self.option, path(of: id)])
        (start.group, start.folder) = (.session, "/")
        let (process, error) = start.start()
        guard error == 0 else {
            throw AgentError(
                .cannotStart, "the process that runs the agent does not start: \(String(cString: strerror(error)))")
        }
        return process
    }

    /// How long a supervisor may take until it listens.
    private static let patience = Duration.seconds(20)

    private static var notStarted: AgentError {
        AgentError(.cannotStart, "the process that runs the agent did not start")
    }

    /// Connects to a supervisor that was just launched.
    func connect(to id: String, _ process: pid_t) async throws(AgentError) -> LineChannel {
        let deadline = ContinuousClock.now + Self.patience
        while .now < deadline {
            if let channel = try? connect(to: id) { return channel }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process { throw Self.notStarted }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
        }
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        unlink(path(of: id))
        throw Self.notStarted
    }

    /// The names of all supervisors that have a socket here. Some may be gone.
    package var all: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.filter(Self.isID)
    }

    /// Ends a supervisor that nobody goes on with, because nobody would see what its agent does, and waits for it. One that does not answer ends when
    /// its socket is gone.
    package func endSupervisor(_ id: String) async {
        guard Self.isID(id) else { return }
        await askToEnd(id)
        unlink(path(of: id))
    }

    private func askToEnd(_ id: String) async {
        guard let channel = try? connect(to: id) else { return }
        channel.send(SupervisorWish.stop.line)
        let deadline = Task {
            try await Task.sleep(for: SupervisedAgent.grace)
            channel.cut()
        }
        while await channel.next() != nil {}
        deadline.cancel()
    }

    /// Connects to a supervisor that runs.
    func connect(to id: String) throws(AgentError) -> LineChannel {
        var limits = LineChannel.Limits()
        (limits.line, limits.received, limits.waiting) = (SupervisorLimits.lineBytes, 1 << 20, 64 << 20)
        do { return try LineChannel(path: path(of: id), limits: limits) } catch {
            throw AgentError(.ended, "the process that ran the agent is gone")
        }
    }
}
