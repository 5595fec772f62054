import Foundation
import Testing

@testable import Networking

/// The authorities are read once, and again when their file has changed.
@Suite struct ClientContextTests {
    @Test func `requests share what was read, also when many begin at once`() async throws {
        let first = try ClientContexts.context(for: .system)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { (try? ClientContexts.context(for: .system)) === first } }
            for await isShared in group { #expect(isShared) }
        }
    }

    @Test func `a file that has changed is read again, and what was read of it before is trusted no more`() throws {
        let folder = NSTemporaryDirectory() + "alcove-authorities-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = TLSIdentity(certificatePath: folder + "/certificate.pem", keyPath: folder + "/key.pem")
        let trust = TLSTrust.authorities(path: identity.certificatePath)
        #expect(throws: NetworkingError.self) { try ClientContexts.context(for: trust) }
        try TLSTests().makeCertificate(identity, names: "DNS:localhost")
        let first = try ClientContexts.context(for: trust)
        #expect(try ClientContexts.context(for: trust) === first)
        try Data("no certificate".utf8).write(to: URL(fileURLWithPath: identity.certificatePath), options: .atomic)
        #expect(throws: NetworkingError.self) { try ClientContexts.context(for: trust) }
        try TLSTests().makeCertificate(identity, names: "DNS:localhost")
        #expect(try ClientContexts.context(for: trust) !== first)
    }
}
