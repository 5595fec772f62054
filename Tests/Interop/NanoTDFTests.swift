import Cryptography
import Foundation
import NanoTDF
import Peers
import Testing

/// NanoTDFs to and from otdf-python. It cannot read its own ECDSA bindings nor any remote policy, so we do not ask it to.
@Suite(.timeLimit(.minutes(5)))
struct NanoTDFTests {
    @Test(arguments: [EllipticCurve.p256, .p384, .p521])
    func `otdf-python opens what we write`(curve: EllipticCurve) async throws {
        try await inFolder { folder in
            let key = try EllipticCurve.PrivateKey(curve)
            let keyFile = folder.appending(path: "key.pem")
            try key.pem.withUnsafeBytes { try Data($0).write(to: keyFile) }
            let files = try sealers.enumerated().map { number, sealer in
                let file = folder.appending(path: "sealed-\(number)")
                try Data(sealer.seal("for the other side".utf8, to: key.publicKey).bytes).write(to: file)
                return file.path
            }
            try await peer(["open", keyFile.path] + files)
            for file in files {
                let opened = try Data(contentsOf: URL(filePath: file + ".opened"))
                #expect(String(decoding: opened, as: UTF8.self) == "for the other side")
            }
        }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `We open what otdf-python writes`(curve: EllipticCurve) async throws {
        try await inFolder { folder in
            let key = try EllipticCurve.PrivateKey(curve)
            let (keyFile, file) = (folder.appending(path: "key.pem"), folder.appending(path: "letter"))
            try key.publicKey.pem.write(to: keyFile, atomically: true, encoding: .utf8)
            try Data("from them".utf8).write(to: file)
            try await peer(["create", keyFile.path, curve.name, file.path])

            let plain = try open(file.path + ".plain", with: key)
            guard case .plain(let text) = plain.policy else {
                Issue.record("the policy is not plain")
                return
            }
            #expect(String(decoding: text, as: UTF8.self).contains("https://example.com/attr/place/value/home"))
            // It encrypts with a key that it throws away.
            #expect(try open(file.path + ".encrypted", with: key).policy == .unreadable)
        }
    }

    /// Every cipher, both kinds of policy, and one signed file. Of the latter it takes all flags for the cipher, and falls back
    /// to tags of 128 bits.
    private var sealers: [NanoTDFSealer] {
        get throws {
            let kas = try ResourceLocator(url: "https://kas.example.com", identifier: "e1")
            let policy = Array(#"{"uuid":"1","body":{"dataAttributes":[],"dissem":[]}}"#.utf8)
            let signer = try EllipticCurve.PrivateKey(.p256)
            var sealers = [try NanoTDFSealer(kas: kas, policy: .plain(policy), signer: signer)]
            for cipher in NanoTDF.Cipher.allCases {
                sealers.append(try NanoTDFSealer(kas: kas, policy: .plain(policy), cipher: cipher))
                sealers.append(try NanoTDFSealer(kas: kas, policy: .encrypted(policy), cipher: cipher))
            }
            return sealers
        }
    }

    private func open(_ path: String, with key: EllipticCurve.PrivateKey) throws -> NanoTDF.Opened {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let sealed = try NanoTDF(bytes)
        #expect(sealed.bytes == bytes)
        #expect(sealed.header.kas.identifierText == "e1" && sealed.header.curve == key.curve)
        let opened = try sealed.open(with: key)
        #expect(opened.plaintext == Array("from them".utf8))
        #expect(opened.binding == .digest && opened.nonceRule == .zerosBefore)
        return opened
    }

    /// Runs the peer to its end.
    private func peer(_ words: [String]) async throws {
        let process = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("otdf_peer.py")] + words)
        await process.ended(grace: .seconds(60))
    }

    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nanotdf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
