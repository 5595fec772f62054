import Cryptography
import NanoTDF

/// What `alcove tdf open --json` says.
struct TDFReport: Encodable {
    var kas: String
    var keyID: String?
    var cipher: String
    var binding: String
    /// "absent", "valid", "before_flag" or "wrong".
    var signature: String
    /// The compressed key that signed, in hexadecimal digits.
    var signer: String?
    var policy: String
    var policyText: String?
    var nonceRule: String?
    var payloads: Int
    var bytes: Int

    init(_ header: NanoTDF.Header, _ opened: NanoTDF.Opened) {
        (kas, keyID, cipher) = (header.kas.url, header.kas.identifierText, header.cipher.name)
        binding = opened.binding.rawValue
        (signature, signer) = Self.words(opened.signature)
        (policy, policyText) = Self.words(opened.policy)
        nonceRule = opened.nonceRule.rawValue
        (payloads, bytes) = (1, opened.plaintext.count)
    }

    init(_ dataset: NanoTDFDatasetReader, plaintextBytes: Int) {
        kas = dataset.header?.kas.url ?? ""
        keyID = dataset.header?.kas.identifierText
        cipher = dataset.header?.cipher.name ?? ""
        binding = dataset.binding?.rawValue ?? ""
        signature = "absent"
        (policy, policyText) = dataset.policy.map(Self.words) ?? ("", nil)
        (payloads, bytes) = (dataset.payloadCount, plaintextBytes)
    }

    static func words(_ check: NanoTDF.SignatureCheck) -> (state: String, signer: String?) {
        switch check {
        case .absent: ("absent", nil)
        case .valid(let key): ("valid", hexadecimal(key.compressed))
        case .beforeFlag(let key): ("before_flag", hexadecimal(key.compressed))
        case .wrong: ("wrong", nil)
        }
    }

    private static func words(_ policy: NanoTDF.OpenedPolicy) -> (kind: String, text: String?) {
        switch policy {
        case .remote(let locator): ("remote", locator.url)
        case .plain(let bytes): ("plain", String(decoding: bytes, as: UTF8.self))
        case .decrypted(let bytes): ("encrypted", String(decoding: bytes, as: UTF8.self))
        case .unauthenticated(let bytes): ("encrypted_without_tag", String(decoding: bytes, as: UTF8.self))
        case .unreadable: ("unreadable", nil)
        case .elsewhere(let access): ("encrypted_elsewhere", access.locator.url)
        }
    }
}

/// The digits of bytes, two each.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
