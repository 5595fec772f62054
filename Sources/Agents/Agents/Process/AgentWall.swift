internal import Errors
internal import Platform

/// What a program that is an agent is confined by: bubblewrap, name spaces of its own, and nothing to write to but its folder.
///
/// It sees the system's programs and libraries read-only, an empty home, an empty `/tmp`, no other processes, and no sockets of the desktop. What
/// cannot be confined like this is not started.
package struct AgentWall: Sendable, Hashable {
    /// Whether it reaches the network: with it also every server on this machine.
    package var network: Bool
    /// Files and folders that it may read as well: paths from the root.
    package var readable: [String]
    /// Whether it cannot change its folder either.
    package var isReadOnly: Bool

    package init(network: Bool, readable: [String] = [], isReadOnly: Bool = false) {
        (self.network, self.readable, self.isReadOnly) = (network, readable, isReadOnly)
    }

    /// Programs and libraries. What is missing is left out.
    private static let system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"]

    /// What programs have to know of the system to find libraries, names of hosts and certificates. All else in `/etc` may hold secrets.
    private static let settings = [
        "alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "fonts", "gai.conf", "group",
        "host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf",
        "os-release",
        "passwd", "pki", "protocols", "resolv.conf", "services", "ssl", "timezone",
    ]

    /// The path without links; nil if there is nothing.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// What stands before the command of the program.
    func words(around folder: String, for program: String) throws(AgentError) -> [String] {
        #if os(Linux)
        guard let tool = Bubblewrap.path else {
            throw AgentError(.cannotStart, "bubblewrap confines agents, and bwrap was not found: install bubblewrap")
        }
        let home = getenv("HOME").flatMap { Self.real(String(cString: $0)) } ?? "/root"
        guard let folder = Self.real(folder), !Self.contains(folder, home) else {
            throw AgentError(
                .cannotStart,
                "\(folder) has your home in it, and all of it would be the agent's: choose a folder of its own")
        }
        try check(program, in: folder, home: home)
        var words = [tool] + Bubblewrap.isolation + (network ? ["--share-net"] : [])
        for path in Self.system + Self.settings.map({ "/etc/\($0)" }) { words += Self.shown(path) }
        // Where the names of hosts are found out.
        if network { words += ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"] }
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", home]
        for path in readable {
            guard let real = Self.real(path) else { throw AgentError(.cannotStart, "there is no \(path) to be read") }
            words += ["--ro-bind", real, path]
        }
        return words + [
            isReadOnly ? "--ro-bind" : "--bind", folder, folder, "--remount-ro", "/", "--setenv", "HOME", home,
            "--chdir", folder, "--",
        ]
        #else
        throw AgentError(.cannotStart, "this platform does not let a program confine another")
        #endif
    }

    /// What is not seen behind the wall cannot be started there, and bubblewrap would only say that it is not there.
    private func check(_ program: String, in folder: String, home: String) throws(AgentError) {
        let shown = Self.system + [folder] + readable + readable.compactMap(Self.real)
        let real = Self.real(program) ?? program
        for path in [program, real] where !shown.contains(where: { Self.contains($0, path) }) {
            // A program often has files beside it. With the home or all of the system it would read too much.
            let place = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
            let needed = Self.contains(place, home) ? path : place
            throw AgentError(
                .cannotStart, "the sandbox does not show \(path): add the agent again with --readable \"\(needed)\"")
        }
    }

    /// A link stays one, so that it leads to what is inside.
    private static func shown(_ path: String) -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0 else { return [] }
        guard status.st_mode & S_IFMT == S_IFLNK, !path.hasPrefix("/etc/"), let target = link(path)
        else { return ["--ro-bind-try", path, path] }
        return ["--symlink", target, path]
    }

    private static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Whether the folder is the other one, or above it.
    private static func contains(_ folder: String, _ other: String) -> Bool {
        folder == "/" || folder == other || other.hasPrefix(folder + "/")
    }
}
