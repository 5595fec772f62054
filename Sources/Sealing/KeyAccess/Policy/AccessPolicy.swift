internal import Cryptography
internal import Wire

/// Who may call a service, and what each caller is entitled to: a small JSON file, described in
/// `docs/protocols/key-access.md`. Everything that the file does not permit is denied.
package struct AccessPolicy: Sendable {
    /// Somebody who may call.
    struct Caller: Sendable {
        let name: String
        /// Addresses of attributes, in lower case.
        var attributes: Set<String> = []
        /// The request must be signed by one of these keys. If there are none, any key will do.
        var keys: [SignatureKey] = []
    }

    /// Somebody whose access tokens the service accepts.
    struct Issuer: Sendable {
        let key: SignatureKey
        let name: String?
        let audience: String?
    }

    let callers: [String: Caller]
    /// Callers by the SHA-256 of their access tokens.
    let tokens: [[UInt8]: String]
    let issuers: [Issuer]
    /// Whether to refuse files whose policy anybody could have changed: it is in clear, and bound by a digest without
    /// a key.
    let refusesDigestBindings: Bool

    /// The name for callers without authentication.
    static let anonymous = "anonymous"
    /// Bytes of a policy file.
    package static let byteLimit = 1 << 20

    /// For a service on a machine's own loopback: anybody may open what has no attributes and names no readers.
    package static let loopback = AccessPolicy(
        callers: [anonymous: Caller(name: anonymous)], tokens: [:], issuers: [], refusesDigestBindings: false)

    /// Whether somebody may call without authentication.
    package var admitsAnybody: Bool { callers[Self.anonymous]?.keys.isEmpty ?? false }

    private init(
        callers: [String: Caller], tokens: [[UInt8]: String], issuers: [Issuer], refusesDigestBindings: Bool
    ) {
        self.callers = callers
        self.tokens = tokens
        self.issuers = issuers
        self.refusesDigestBindings = refusesDigestBindings
    }

    /// Reads a policy file. An unknown member is an error, because a misspelt rule would have no effect. So is a
    /// member that is there twice, and a key or token that two callers share.
    package init(file: [UInt8]) throws(KeyAccessError) {
        guard file.count <= Self.byteLimit else { throw .policy("it has more than \(Self.byteLimit) bytes") }
        guard let whole = JSONObject(unambiguous: file) else {
            throw .policy("it is no JSON object, or has a member twice")
        }
        let members = PolicyMembers(whole, of: "the policy")
        try members.allow("callers", "issuers", "refusesDigestBindings")
        var callers: [String: Caller] = [:]
        var tokens: [[UInt8]: String] = [:]
        var keys: Set<String> = []
        for (name, members) in try members.objects("callers") {
            let caller = try Self.caller(name, members)
            callers[name] = caller
            for key in caller.keys {
                // It would not be clear which of the two callers signed.
                guard let thumbprint = try? key.thumbprint, keys.insert(thumbprint).inserted else {
                    throw .policy("two callers have the same key")
                }
            }
            for token in try members.texts("tokens") {
                guard tokens.updateValue(name, forKey: try members.digest(token)) == nil else {
                    throw .policy("two callers have the same token")
                }
            }
        }
        self.init(
            callers: callers, tokens: tokens,
            issuers: try members.list("issuers").map { members throws(KeyAccessError) in try Self.issuer(members) },
            refusesDigestBindings: try members.flag("refusesDigestBindings"))
    }

    private static func caller(_ name: String, _ members: PolicyMembers) throws(KeyAccessError) -> Caller {
        try members.allow("attributes", "tokens", "keys")
        return Caller(
            name: name,
            attributes: Set(try members.texts("attributes").map { $0.lowercased() }),
            keys: try members.texts("keys").map { text throws(KeyAccessError) in try members.key(text) })
    }

    private static func issuer(_ members: PolicyMembers) throws(KeyAccessError) -> Issuer {
        try members.allow("key", "issuer", "audience")
        guard let key = try members.text("key") else { throw .policy("an issuer has no \"key\"") }
        return Issuer(
            key: try members.key(key), name: try members.text("issuer"), audience: try members.text("audience"))
    }

    /// Whether a caller may have what a policy protects. Throws with the reason if not.
    func check(_ caller: Caller, against policy: DataPolicy) throws(KeyAccessError) {
        if !policy.dissemination.isEmpty, !policy.dissemination.contains(caller.name) {
            throw KeyAccessError(
                .permissionDenied, "the policy names its readers, and \"\(caller.name)\" is not among them")
        }
        let missing = policy.attributes.count { !caller.attributes.contains($0) }
        guard missing == 0 else {
            throw KeyAccessError(
                .permissionDenied,
                "\"\(caller.name)\" lacks \(missing) of the \(policy.attributes.count) attributes that the policy demands"
            )
        }
    }
}
