package import Cryptography
package import Wire

/// A JSON Web Token in compact form, signed (RFC 7515, RFC 7519). Do not trust anything in it before
/// ``isSigned(by:)`` returned true.
package struct SignedToken: Sendable {
    package let header: JSONObject
    package let claims: JSONObject
    package let algorithm: SignatureAlgorithm
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// - Parameter limit: bytes of the whole token.
    package init(_ text: String, atMost limit: Int) throws(TokenError) {
        guard text.utf8.count <= limit else { throw .malformed("the token is longer than \(limit) bytes") }
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = try? Base64URL.decode(parts[2])
        else { throw .malformed("this is no JSON Web Token with a signature, or it says something twice") }
        guard let algorithm = header["alg"]?.string.flatMap(SignatureAlgorithm.init) else {
            throw .malformed("the token is not signed with ES256, ES384, ES512, RS256, RS384 or RS512")
        }
        // Critical extensions (RFC 7515, section 4.1.11): none is supported.
        guard header["crit"] == nil else { throw .malformed("the token demands an extension that is not known here") }
        self.header = header
        self.claims = claims
        self.algorithm = algorithm
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    package func isSigned(by key: SignatureKey) -> Bool { key.isSignature(signature, of: signed, algorithm) }

    /// The key in the token's header. It proves nothing about the owner.
    package var claimedKey: SignatureKey? { header["jwk"]?.object.flatMap { SignatureKey(jwk: $0) } }

    /// Identifies this token: the digest of the signed bytes. The signature cannot serve for that, because it can be
    /// altered and stay valid.
    package var digest: [UInt8] { HashFunction.sha256.digest(signed) }

    /// A token of these claims, signed with ES256, ES384 or ES512 after the key's curve, with the public key in its header.
    package static func signing(
        _ claims: JSONObject, with key: EllipticCurve.PrivateKey, type: String = "JWT"
    ) throws(CryptographyError) -> String {
        guard let algorithm = SignatureAlgorithm.allCases.first(where: { $0.curve == key.curve }) else {
            throw CryptographyError(.unsupportedKey, "tokens are not signed on \(key.curve.name)")
        }
        let header: JSONObject = [
            "alg": .string(algorithm.rawValue), "typ": .string(type),
            "jwk": .object(try SignatureKey.elliptic(key.publicKey).jwk),
        ]
        let signed = [header, claims].map { Base64URL.encode(JSONValue.object($0).text.utf8) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(try key.sign(signed.utf8, function: algorithm.function))
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = try? Base64URL.decode(part) else { return nil }
        return JSONObject(unambiguous: bytes)
    }
}

/// Why a token is refused. The text goes to the sender and does not quote the token.
package enum TokenError: Error, Equatable, Sendable {
    case malformed(String)
    case untrusted(String)

    package var message: String {
        switch self {
        case .malformed(let text), .untrusted(let text): text
        }
    }
}
