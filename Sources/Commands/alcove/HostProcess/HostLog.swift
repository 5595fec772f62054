import Foundation

/// Where a host process in the background writes when it began and ended, and what went wrong: nothing that people say.
struct HostLog {
    /// Bytes that the file may have; a longer one begins anew.
    private static let limit = 64 << 10

    private let descriptor: Int32

    static func path(of profile: String) -> String { profile + "/host.log" }

    /// Makes the file standard output and standard error of this process. Whoever waits for their end hears that it listens. If the file cannot
    /// be written, nothing is kept.
    init(profile: String) {
        let file = open(Self.path(of: profile), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        descriptor = file >= 0 ? file : open("/dev/null", O_WRONLY | O_CLOEXEC)
        tidy()
        for standard in [STDOUT_FILENO, STDERR_FILENO] { dup2(descriptor, standard) }
    }

    /// Empties a file that has become too long.
    func tidy() {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > Self.limit {
            ftruncate(descriptor, 0)
        }
    }

    /// Writes a line with the time.
    func write(_ line: TerminalText) {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        Terminal.log("\(WrittenTime.text(now))  \(line)")
    }
}
