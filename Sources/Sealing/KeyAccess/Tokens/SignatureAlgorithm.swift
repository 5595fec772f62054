internal import Cryptography

/// How a token is signed (RFC 7518, section 3.1). What is not listed, `none` and the HMAC kinds above all, is refused.
public enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
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
