internal import Cryptography
internal import Networking
internal import Wire

/// Finds out who makes a request. Every caller needs a proof: an access token whose digest or issuer the policy
/// lists, or a signing key that it lists.
struct CallerCheck {
    let policy: AccessPolicy
    let window: TokenWindow

    /// Who it is, and the thumbprint of the key that signed the request.
    struct Result {
        let caller: AccessPolicy.Caller
        let thumbprint: String
    }

    /// - Parameters:
    ///   - request: the signed request token.
    ///   - headers: with `Authorization` and perhaps `DPoP`.
    ///   - path: what the client asked for, which a DPoP proof must name.
    func identify(_ request: SignedToken, headers: HTTPFields, path: String) throws(TokenError) -> Result {
        guard let token = try Self.accessToken(headers) else { return try identifyBySignature(request) }
        let (name, boundKey) = try owner(of: token)
        guard let caller = policy.callers[name] else {
            throw .untrusted("the policy of this service has no caller with the name in the access token")
        }
        let proof = try proofKey(headers, token: token, path: path)
        let candidates = caller.keys.isEmpty ? [request.claimedKey, proof].compactMap(\.self) : caller.keys
        for key in candidates where request.isSigned(by: key) {
            guard let thumbprint = try? key.thumbprint, boundKey ?? thumbprint == thumbprint else { continue }
            return Result(caller: caller, thumbprint: thumbprint)
        }
        throw .untrusted(
            """
            the request is not signed by a key that counts for this caller: one of the policy, or of the request's jwk header or \
            a DPoP proof, and the one that the access token is bound to
            """)
    }

    private func identifyBySignature(_ request: SignedToken) throws(TokenError) -> Result {
        for caller in policy.callers.values {
            for key in caller.keys where request.isSigned(by: key) {
                if let thumbprint = try? key.thumbprint { return Result(caller: caller, thumbprint: thumbprint) }
            }
        }
        guard policy.admitsAnybody, let caller = policy.callers[AccessPolicy.anonymous] else {
            throw .untrusted("this service needs an access token (Authorization: Bearer TOKEN) or a key that it knows")
        }
        guard let key = request.claimedKey, request.isSigned(by: key), let thumbprint = try? key.thumbprint else {
            throw .untrusted("the request is not signed by the key in its jwk header")
        }
        return Result(caller: caller, thumbprint: thumbprint)
    }

    private static func accessToken(_ headers: HTTPFields) throws(TokenError) -> Substring? {
        guard let header = try single("authorization", headers) else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["bearer", "dpop"].contains(parts[0].lowercased()) else {
            throw .malformed("the Authorization header is not \"Bearer TOKEN\"")
        }
        return parts[1]
    }

    /// A field that may occur once. If it occurs twice, a proxy may have checked the other one.
    private static func single(_ name: String, _ headers: HTTPFields) throws(TokenError) -> String? {
        let values = headers.values(name)
        guard values.count <= 1 else { throw .malformed("the request has the field \(name) twice") }
        return values.first
    }

    /// The name that a token stands for, and the thumbprint of the key that it is bound to (RFC 7800).
    private func owner(of token: Substring) throws(TokenError) -> (name: String, boundKey: String?) {
        // The digest is looked up, not the token, so the time that it takes tells nothing about tokens.
        if let name = policy.tokens[HashFunction.sha256.digest(token.utf8)] { return (name, nil) }
        let unknown = TokenError.untrusted("this service does not know the access token")
        guard !policy.issuers.isEmpty, let signed = try? SignedToken(String(token), atMost: 16_384),
            policy.issuers.contains(where: { $0.issued(signed) })
        else { throw unknown }
        try window.checkAccess(signed.claims)
        guard let name = signed.claims["sub"]?.string, name != AccessPolicy.anonymous else {
            throw .untrusted("the access token names no caller (sub)")
        }
        guard let confirmation = signed.claims["cnf"] else { return (name, nil) }
        guard let members = confirmation.object, members.has(only: ["jkt"]), let thumbprint = members["jkt"]?.string
        else {
            throw .untrusted("the access token is bound in a way that is not known here (cnf)")
        }
        return (name, thumbprint)
    }

    /// The key of a DPoP proof (RFC 9449, section 4.3); nil if there is no proof.
    private func proofKey(_ headers: HTTPFields, token: Substring, path: String) throws(TokenError) -> SignatureKey? {
        guard let text = try Self.single("dpop", headers), !text.isEmpty else { return nil }
        let proof = try SignedToken(text, atMost: 16_384)
        guard proof.header["typ"]?.string == "dpop+jwt", let key = proof.claimedKey, proof.isSigned(by: key) else {
            throw .untrusted("the DPoP proof is not signed by the key in its header")
        }
        // A proxy may use another scheme and host, so only the path is compared.
        guard proof.claims["htm"]?.string == "POST", let url = proof.claims["htu"]?.string,
            let address = try? ServerURL(url), address.path.hasSuffix(path)
        else { throw .untrusted("the DPoP proof is for another request") }
        let digest = Base64URL.encode(HashFunction.sha256.digest(token.utf8))
        guard proof.claims["ath"]?.string ?? digest == digest else {
            throw .untrusted("the DPoP proof is for another access token")
        }
        try window.checkProof(proof.claims)
        return key
    }
}

extension AccessPolicy.Issuer {
    /// Whether a token is this issuer's and meant for this service.
    fileprivate func issued(_ token: SignedToken) -> Bool {
        let audiences: [String?] =
            switch token.claims["aud"] {
            case .array(let list)?: list.map(\.string)
            case let single: [single?.string]
            }
        return (name == nil || token.claims["iss"]?.string == name)
            && (audience == nil || audiences.contains(audience)) && token.isSigned(by: key)
    }
}
