package import Cryptography
package import Wire

/// A public key that signs tokens, from a file or from a JSON Web Key (RFC 7517).
package enum SignatureKey: Sendable {
    case elliptic(EllipticCurve.PublicKey)
    case rsa(RSAPublicKey)

    /// Reads a public key file, PEM or DER, of P-256, P-384, P-521 or RSA.
    package init(file: some Collection<UInt8>) throws(CryptographyError) {
        let bytes = Array(file)
        let curveFailure: CryptographyError
        do throws(CryptographyError) {
            self = .elliptic(try EllipticCurve.PublicKey(file: bytes))
            return
        } catch {
            curveFailure = error
        }
        guard let key = try? RSAPublicKey(file: bytes) else { throw curveFailure }
        self = .rsa(key)
    }

    /// Reads a JSON Web Key. Nil if it is malformed, is not for signatures, or contains a private key, which must not
    /// be sent.
    package init?(jwk: JSONObject) {
        guard jwk["d"] == nil, jwk["use"]?.string ?? "sig" == "sig" else { return nil }
        switch jwk["kty"]?.string {
        case "EC":
            guard let curve = EllipticCurve.allCases.first(where: { $0.webName == jwk["crv"]?.string }),
                let x = Self.number(jwk["x"]), let y = Self.number(jwk["y"]),
                x.count == curve.coordinateByteCount, y.count == curve.coordinateByteCount,
                let key = try? EllipticCurve.PublicKey(curve, encoded: [4] + x + y)
            else { return nil }
            self = .elliptic(key)
        case "RSA":
            guard let modulus = Self.number(jwk["n"]), let exponent = Self.number(jwk["e"]),
                let key = try? RSAPublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            self = .rsa(key)
        default: return nil
        }
    }

    /// The key as a JSON Web Key with the members that its thumbprint needs, in their order.
    package var jwk: JSONObject {
        get throws(CryptographyError) {
            switch self {
            case .elliptic(let key):
                let point = key.uncompressed.dropFirst()
                let half = key.curve.coordinateByteCount
                return [
                    "crv": .string(key.curve.webName), "kty": "EC", "x": .string(Base64URL.encode(point.prefix(half))),
                    "y": .string(Base64URL.encode(point.suffix(half))),
                ]
            case .rsa(let key):
                return [
                    "e": .string(Base64URL.encode(key.exponent)), "kty": "RSA",
                    "n": .string(Base64URL.encode(key.modulus)),
                ]
            }
        }
    }

    /// The thumbprint that identifies the key in a token bound to it: base64url of SHA-256 (RFC 7638).
    package var thumbprint: String {
        get throws(CryptographyError) {
            Base64URL.encode(HashFunction.sha256.digest(JSONValue.object(try jwk).text.utf8))
        }
    }

    func isSignature(_ signature: [UInt8], of message: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        switch self {
        case .elliptic(let key):
            key.curve == algorithm.curve && key.isSignature(signature, of: message, function: algorithm.function)
        case .rsa(let key):
            algorithm.curve == nil && key.isSignature(signature, of: message, function: algorithm.function)
        }
    }

    private static func number(_ value: JSONValue?) -> [UInt8]? {
        value?.string.flatMap { try? Base64URL.decode($0) }
    }
}

extension EllipticCurve {
    /// The name in JSON Web Keys.
    fileprivate var webName: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        case .secp256k1: "secp256k1"
        }
    }
}

/// How a token is signed (RFC 7518, section 3.1). Other algorithms are refused, above all `none` and those with HMAC.
package enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"

    var function: HashFunction {
        switch self {
        case .es256, .rs256: .sha256
        case .es384, .rs384: .sha384
        case .es512, .rs512: .sha512
        }
    }

    /// The only curve that goes with it; nil for RSA.
    var curve: EllipticCurve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .rs256, .rs384, .rs512: nil
        }
    }
}
