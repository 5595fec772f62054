import Cryptography
import Testing
import Wire

@testable import KeyAccess

@Suite("Signed tokens")
struct SignedTokenTests {
    @Test("Foreign tokens of every algorithm verify, and altered ones do not", arguments: ForeignTokens.all)
    func foreign(algorithm: String, text: String, thumbprint: String) throws {
        let token = try SignedToken(text, atMost: 4096)
        let key = try #require(token.claimedKey)
        #expect(token.algorithm.rawValue == algorithm)
        #expect(token.isSigned(by: key))
        #expect(try key.thumbprint == thumbprint)
        #expect(token.claims["requestBody"] == "{}")

        let parts = text.split(separator: ".")
        let claims = Base64URL.encode(#"{"requestBody":"{ }","iat":1795000000,"exp":1795000060}"#.utf8)
        #expect(try !SignedToken("\(parts[0]).\(claims).\(parts[2])", atMost: 4096).isSigned(by: key))
        for other in ForeignTokens.all where other.thumbprint != thumbprint {
            let otherKey = try #require(try SignedToken(other.token, atMost: 4096).claimedKey)
            #expect(!token.isSigned(by: otherKey))
        }
    }

    @Test("Our tokens name their key, on every curve", arguments: [EllipticCurve.p256, .p384, .p521])
    func own(curve: EllipticCurve) throws {
        let key = try EllipticCurve.PrivateKey(curve)
        let token = try SignedToken(SignedToken.signing(["sub": "anna"], with: key), atMost: 4096)
        let claimed = try #require(token.claimedKey)
        #expect(token.isSigned(by: claimed))
        #expect(try claimed.thumbprint == SignatureKey.elliptic(key.publicKey).thumbprint)
    }

    @Test("An algorithm is not mistaken for another on the same key")
    func confusion() throws {
        let key = try EllipticCurve.PrivateKey(.p256)
        let header = Base64URL.encode(#"{"alg":"ES384"}"#.utf8)
        let signed = header + "." + Base64URL.encode("{}".utf8)
        let text = signed + "." + Base64URL.encode(try key.sign(signed.utf8, function: .sha384))
        #expect(try !SignedToken(text, atMost: 4096).isSigned(by: .elliptic(key.publicKey)))
    }

    @Test(
        "Tokens that cannot be trusted, whatever their signature, are refused",
        arguments: [
            #"{"alg":"none"}"#, #"{"alg":"HS256"}"#, #"{"alg":"PS256"}"#, #"{"alg":"es256"}"#, #"{}"#, #"[]"#, "", "{",
            #"{"alg":"ES256","crit":["exp"]}"#, #"{"alg":1}"#,
        ])
    func refusedHeaders(header: String) {
        let text = [header, "{}", "signature"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        #expect(throws: TokenError.self) { try SignedToken(text, atMost: 4096) }
    }

    @Test(
        "Texts that are not a token are refused",
        arguments: [
            "", ".", "..", "a.b", "a.b.c", "eyJhbGciOiJFUzI1NiJ9.e30.AA==", "eyJhbGciOiJFUzI1NiJ9.e30.AA.AA", "🙂.🙂.🙂",
        ])
    func garbage(text: String) {
        #expect(throws: TokenError.self) { try SignedToken(text, atMost: 4096) }
    }

    @Test("The length of a token is limited")
    func limit() throws {
        let text = ForeignTokens.all[0].token
        _ = try SignedToken(text, atMost: text.utf8.count)
        #expect(throws: TokenError.self) { try SignedToken(text, atMost: text.utf8.count - 1) }
    }

    @Test(
        "Malformed and private keys, and keys for encryption, are refused",
        arguments: [
            #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"EC","crv":"P-256"}"#, #"{}"#,
            #"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}"#, #"{"kty":"RSA","n":"AAAA","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"P-256","x":"ZERO","y":"ZERO"}"#,
        ])
    func keys(text: String) throws {
        let zero = String(repeating: "A", count: 43)
        let object = try #require(try JSONValue(text.replacing("ZERO", with: zero).utf8).object)
        #expect(SignatureKey(jwk: object) == nil)
        var key = try SignatureKey.elliptic(EllipticCurve.PrivateKey(.p256).publicKey).jwk
        #expect(SignatureKey(jwk: key) != nil)
        key.append("d", "AAAA")
        #expect(SignatureKey(jwk: key) == nil)
    }

    @Test(
        "A request is valid from its creation to its end, and never longer than the limit",
        arguments: [
            (1000, 1060, true), (1060, 1120, true), (1061, 1120, false), (990, 941, true), (990, 940, false),
            (640, 2000, true), (639, 2000, false),
        ] as [(Int64, Int64, Bool)])
    func window(issued: Int64, expires: Int64, isGood: Bool) {
        let window = TokenWindow(now: 1000, age: 300, skew: 60)
        let claims: JSONObject = ["iat": .number("\(issued)"), "exp": .number("\(expires)")]
        let until = try? window.checkRequest(claims)
        #expect((until != nil) == isGood)
        if let until { #expect(until >= 1000 && until <= issued + 360) }
        #expect(throws: TokenError.self) { try window.checkRequest(["iat": .number("\(issued)")]) }
        #expect(throws: TokenError.self) { try window.checkRequest(["iat": "1000", "exp": "1060"]) }
        #expect(throws: TokenError.self) {
            try window.checkRequest(["iat": .number("1e300"), "exp": .number("1e300")])
        }
    }

    @Test("A request is answered only once, and the memory is bounded")
    func replay() {
        var cache = ReplayCache(capacity: 2)
        #expect(cache.admit([1], expires: 10, now: 0) == .new)
        #expect(cache.admit([1], expires: 10, now: 10) == .replayed)
        #expect(cache.admit([2], expires: 12, now: 10) == .new)
        #expect(cache.admit([3], expires: 30, now: 10) == .full)
        #expect(cache.admit([3], expires: 30, now: 11) == .new)
        #expect(cache.admit([2], expires: 12, now: 11) == .replayed)
        #expect(cache.count == 2)
    }
}
