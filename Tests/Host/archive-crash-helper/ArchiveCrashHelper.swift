import Cryptography
import Foundation
import Host

/// Exports or restores a profile again and again until it is killed: `archive-crash-helper export PROFILE FILE` writes `FILE.0`, `FILE.1`, …;
/// `archive-crash-helper import FILE TARGET` makes `TARGET.0`, `TARGET.1`, …
@main struct ArchiveCrashHelper {
    static func main() throws {
        let arguments = CommandLine.arguments
        let passphrase = SecretBytes(copying: "correct horse".utf8)
        let cost = try Scrypt.Cost(logN: 10, r: 8, p: 1)
        let (source, target) = (arguments[2], arguments[3])
        let start = Int(arguments.dropFirst(4).first ?? "0") ?? 0
        for number in start... {
            let place = "\(target).\(number)"
            if arguments[1] == "export" {
                _ = try ProfileArchive.export(
                    profile: source, to: place, passphrase: passphrase, hasFiles: true, cost: cost,
                    progress: { _, _ in true })
            } else {
                _ = try ProfileArchive.restore(source, to: place, passphrase: passphrase, progress: { _, _ in true })
            }
        }
    }
}
