internal import Wire

/// Checks the times between which tokens are valid. All times are seconds, since 1970 where they are instants.
struct TokenWindow {
    let now: Int64
    /// A request is valid for this long at most, whatever it says itself. It must be remembered for that time.
    let age: Int64
    /// How far two clocks may be apart.
    let skew: Int64

    /// Checks a request, which must say when it was made and when it ends. Returns until when it has to be remembered.
    func checkRequest(_ claims: JSONObject) throws(TokenError) -> Int64 {
        guard let issued = claims["iat"]?.seconds, let expires = claims["exp"]?.seconds else {
            throw .untrusted("the request does not say when it was made (iat) and when it ends (exp)")
        }
        try check(issued: issued)
        guard expires > now - skew else { throw Self.expired }
        try checkBeginning(claims, of: "request")
        return min(expires, issued + age) + skew
    }

    /// Checks a DPoP proof, which says when it was made.
    func checkProof(_ claims: JSONObject) throws(TokenError) {
        guard let issued = claims["iat"]?.seconds else {
            throw .untrusted("the DPoP proof does not say when it was made (iat)")
        }
        try check(issued: issued)
    }

    /// Checks an access token, which must say when it ends and may say when it begins.
    func checkAccess(_ claims: JSONObject) throws(TokenError) {
        guard let expires = claims["exp"]?.seconds else {
            throw .untrusted("the access token does not say when it ends (exp)")
        }
        guard expires > now - skew else { throw .untrusted("the access token has expired; get a new one") }
        try checkBeginning(claims, of: "access token")
    }

    private func checkBeginning(_ claims: JSONObject, of what: String) throws(TokenError) {
        guard let begins = claims["nbf"] else { return }
        guard let begins = begins.seconds, begins <= now + skew else {
            throw .untrusted("the \(what) does not count yet")
        }
    }

    private func check(issued: Int64) throws(TokenError) {
        guard issued <= now + skew else { throw .untrusted("the request was made in the future; compare the clocks") }
        guard issued >= now - age - skew else { throw Self.expired }
    }

    private static var expired: TokenError {
        .untrusted("the request has expired; make a new one, and compare the clocks")
    }
}

extension JSONValue {
    /// A number of seconds since 1970 (RFC 7519, section 2), without its fraction.
    fileprivate var seconds: Int64? {
        guard case .number(let spelling) = self, let number = Double(spelling), abs(number) < 1e12 else { return nil }
        return Int64(number)
    }
}
