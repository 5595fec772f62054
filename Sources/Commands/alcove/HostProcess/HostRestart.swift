import Cryptography
import Foundation
import Platform
import Synchronization

/// How a host process begins anew: it replaces itself by the program that lies on the disk now, with the same words.
///
/// The process keeps its number, so whatever started it goes on watching it. The key of a profile with a passphrase goes through a pipe from
/// the process to itself: it is never on the disk, and no other process sees it.
final class HostRestart: Sendable {
    private static let variable = "ALCOVE_HANDED_OVER"
    /// Bytes of a key.
    private static let keySize = 32

    private let wanted = Mutex(false)
    /// As the process starts: later, another program may lie there.
    private let program = HostStart.program

    var isWanted: Bool { wanted.withLock(\.self) }

    func want() { wanted.withLock { $0 = true } }

    /// The key that this process gave itself; `nil` if it gave none.
    func takeKey() -> SecretBytes? {
        guard let text = ProcessInfo.processInfo.environment[Self.variable], let descriptor = Int32(text) else {
            return nil
        }
        unsetenv(Self.variable)
        var status = stat()
        guard descriptor > 2, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
        defer { close(descriptor) }
        var count = 0
        let key = SecretBytes(count: Self.keySize) { count = read(descriptor, $0.baseAddress, $0.count) }
        return count == Self.keySize ? key : nil
    }

    /// Replaces this process.
    /// - Returns: why that was not possible.
    func begin(with key: SecretBytes?) -> CommandFailure {
        var descriptor: Int32?
        if let key {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0, key.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == key.count
            else {
                return CommandFailure("the host process has ended: it could not hand its key over", .temporaryFailure)
            }
            close(ends[1])
            setenv(Self.variable, "\(ends[0])", 1)
            descriptor = ends[0]
        }
        let error = ProgramStart.replaceThisProcess(
            with: [program] + CommandLine.arguments.dropFirst(), keeping: descriptor)
        return CommandFailure(
            "the host process has ended: \(program) cannot be started: \(String(cString: strerror(error)))",
            .temporaryFailure)
    }
}
