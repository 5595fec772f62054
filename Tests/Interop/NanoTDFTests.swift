import Cryptography
import Foundation
import Peers
import Testing
import TrustedData

/// NanoTDFs to and from otdf-python. It cannot read its own ECDSA bindings nor any remote policy, so we do not ask it to.
@Suite(.timeLimit(.minutes(2)))
struct NanoTDFTests {
    private static let curves: [EllipticCurve] = [.p256, .p384, .p521]

    @Test(arguments: curves)
    func `otdf-python opens what we write`(curve: EllipticCurve) throws {
        try inFolder { folder in
            let key = try EllipticCurve.PrivateKey(curve)
            let file = folder.appending(path: "key.pem")
            try key.pem.withUnsafeBytes { try Data($0).write(to: file) }
            let kas = try ResourceLocator(url: "https://kas.example.com", identifier: "e1")
            let policy = Array(#"{"uuid":"1","body":{"dataAttributes":[],"dissem":[]}}"#.utf8)
            let signer = try EllipticCurve.PrivateKey(.p256)
            // Of a signed file it takes all flags for the cipher, and falls back to tags of 128 bits.
            var sealers = [try NanoTDFSealer(kas: kas, policy: .plain(policy), signer: signer)]
            for cipher in NanoTDF.Cipher.allCases {
                sealers.append(try NanoTDFSealer(kas: kas, policy: .encrypted(policy), cipher: cipher))
            }
            for sealer in sealers {
                let sealed = try sealer.seal("for the other side".utf8, to: key.publicKey).bytes
                #expect(try peer(["open", file.path], input: sealed) == Array("for the other side".utf8))
            }
        }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `We open what otdf-python writes`(curve: EllipticCurve) throws {
        try inFolder { folder in
            let key = try EllipticCurve.PrivateKey(curve)
            let file = folder.appending(path: "key.pem")
            try key.publicKey.pem.write(to: file, atomically: true, encoding: .utf8)
            for policy in ["plain", "encrypted"] {
                let bytes = try peer(["create", file.path, curve.name, policy], input: Array("from them".utf8))
                let sealed = try NanoTDF(bytes)
                #expect(sealed.bytes == bytes)
                #expect(sealed.header.kas.identifierText == "e1" && sealed.header.curve == curve)
                let opened = try sealed.open(with: key)
                #expect(opened.plaintext == Array("from them".utf8))
                #expect(opened.binding == .digest && opened.nonceRule == .zerosBefore)
                guard policy == "plain" else {
                    // It encrypts with a key that it throws away.
                    #expect(opened.policy == .unreadable)
                    continue
                }
                guard case .plain(let text) = opened.policy else {
                    Issue.record("the policy is not plain")
                    return
                }
                #expect(String(decoding: text, as: UTF8.self).contains("https://example.com/attr/place/value/home"))
            }
        }
    }

    /// Runs one operation of the peer, from file to file.
    private func peer(_ words: [String], input: [UInt8]) throws -> [UInt8] {
        try inFolder { folder in
            let (source, target) = (folder.appending(path: "in"), folder.appending(path: "out"))
            try Data(input).write(to: source)
            try Data().write(to: target)
            let process = try ChildProcess(
                program: Programs.python(), arguments: [Programs.script("otdf_peer.py")] + words,
                input: FileHandle(forReadingFrom: source), output: FileHandle(forWritingTo: target))
            process.end(grace: .seconds(60))
            return [UInt8](try Data(contentsOf: target))
        }
    }

    private func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nanotdf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
