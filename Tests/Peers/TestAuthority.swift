package import Foundation
import ProgramRunner

/// A certificate authority of one test, made by the `openssl` program, and the certificates that it signs.
package final class TestAuthority {
    /// PEM files.
    package struct Identity: Sendable {
        /// The certificate alone.
        package let certificate: String
        package let key: String
    }

    /// When a certificate counts.
    package enum Validity: String, Sendable {
        case now = "20200101000000Z,20991231000000Z"
        case past = "20200101000000Z,20200201000000Z"
        case future = "20980101000000Z,20991231000000Z"
    }

    struct Failed: Error { let output: String }

    package let folder: URL
    /// Of this authority.
    package let own: Identity

    private static let usual = (begin: "20200101000000Z", end: "20991231000000Z")

    /// - Parameter parent: who signs its certificate; nil for itself.
    package convenience init() throws { try self.init(signedBy: nil) }

    private init(signedBy parent: TestAuthority?) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "index"))
        let settings = """
            [ca]
            default_ca = me
            [me]
            database = \(folder.path)/index
            rand_serial = yes
            new_certs_dir = \(folder.path)
            default_md = sha256
            policy = any
            copy_extensions = copy
            unique_subject = no
            [any]
            commonName = supplied
            [root]
            basicConstraints = critical,CA:TRUE
            """
        try Data(settings.utf8).write(to: folder.appending(path: "settings"))
        own = Identity(
            certificate: folder.appending(path: "own.pem").path, key: folder.appending(path: "own.key").path)
        try request("own", "alcove test authority \(UUID().uuidString.prefix(8))", [])
        let signer = parent ?? self
        try Self.openssl(
            ["ca", "-batch", "-notext", "-config", signer.folder.appending(path: "settings").path]
                + (parent == nil ? ["-selfsign"] : ["-cert", signer.own.certificate])
                + [
                    "-keyfile", signer.own.key, "-extensions", "root", "-startdate", Self.usual.begin, "-enddate",
                    Self.usual.end, "-in", folder.appending(path: "own.csr").path, "-out", own.certificate,
                ])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// An authority that this one has signed.
    package func intermediate() throws -> TestAuthority { try TestAuthority(signedBy: self) }

    /// A certificate for these names, written as `DNS:localhost` or `IP:127.0.0.1`.
    package func issue(_ names: String, valid: Validity = .now) throws -> Identity {
        let file = UUID().uuidString
        try request(file, "alcove test", ["-addext", "subjectAltName=\(names)"])
        let dates = valid.rawValue.split(separator: ",").map(String.init)
        let path = folder.appending(path: file).path
        try Self.openssl([
            "ca", "-batch", "-notext", "-config", folder.appending(path: "settings").path, "-cert", own.certificate,
            "-keyfile", own.key, "-startdate", dates[0], "-enddate", dates[1], "-in", path + ".csr", "-out",
            path + ".pem",
        ])
        return Identity(certificate: path + ".pem", key: path + ".key")
    }

    /// A file with several certificates, one after the other.
    package func chain(_ files: [String]) throws -> String {
        let path = folder.appending(path: UUID().uuidString + ".pem").path
        try Data(files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined().utf8).write(
            to: URL(filePath: path))
        return path
    }

    private func request(_ file: String, _ name: String, _ more: [String]) throws {
        let path = folder.appending(path: file).path
        try Self.openssl(
            [
                "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                path + ".key", "-out", path + ".csr", "-subj", "/CN=\(name)",
            ] + more)
    }

    private static func openssl(_ words: [String]) throws {
        let run = try Program.run([try Programs.openssl().path] + words)
        guard run.status == 0 else { throw Failed(output: run.output) }
    }
}
