package import Cryptography
internal import Wire

/// What a client asks for: keys of files, wrapped for a key of its own. It travels as JSON text in the claim `requestBody` of a
/// signed token.
package struct RewrapRequest: Sendable {
    /// The key that the answer is wrapped for.
    package enum ClientKey: Sendable {
        case elliptic(EllipticCurve.PublicKey)
        case rsa(RSAPublicKey)
    }

    /// Files under one policy, as the client sees it.
    package struct Entry: Sendable, Equatable {
        package var policyID: String
        package var objects: [Object]

        package init(policyID: String, objects: [Object]) {
            self.policyID = policyID
            self.objects = objects
        }
    }

    /// One file.
    package struct Object: Sendable, Equatable {
        package var id: String
        /// The header of a NanoTDF; nil for files of other kinds.
        package var header: [UInt8]?

        package init(id: String, header: [UInt8]?) {
            self.id = id
            self.header = header
        }
    }

    package let clientKey: ClientKey
    package let entries: [Entry]

    /// The most bytes of an identifier that is returned unchanged.
    static let idLimit = 255

    package init(clientKey: EllipticCurve.PublicKey, entries: [Entry]) {
        self.clientKey = .elliptic(clientKey)
        self.entries = entries
    }

    /// Reads the JSON text.
    /// - Parameter limit: how many files may be asked about at once.
    package init(body: some Collection<UInt8>, atMost limit: Int) throws(KeyAccessError) {
        guard let object = JSONObject(unambiguous: body) else {
            throw .invalid("requestBody is no JSON object, or has a member twice")
        }
        try Self.check(object, Self.members, "requestBody")
        guard let pem = object["clientPublicKey"]?.string else { throw .invalid("clientPublicKey is missing") }
        clientKey = try Self.clientKey(pem)
        guard case .array(let list)? = object["requests"], !list.isEmpty else {
            throw .invalid("requests is not a list")
        }
        entries = try list.map { value throws(KeyAccessError) in try Self.entry(value) }
        let count = entries.reduce(0) { $0 + $1.objects.count }
        guard entries.count <= limit, count <= limit else {
            throw KeyAccessError(.resourceExhausted, "one request asks about at most \(limit) files")
        }
    }

    private static func clientKey(_ pem: String) throws(KeyAccessError) -> ClientKey {
        switch try? SignatureKey(file: pem.utf8) {
        case .elliptic(let key)? where key.curve != .secp256k1: return .elliptic(key)
        case .rsa(let key)?: return .rsa(key)
        default: throw .invalid("clientPublicKey is no PEM file of a key on P-256, P-384, P-521 or for RSA")
        }
    }

    private static func entry(_ value: JSONValue) throws(KeyAccessError) -> Entry {
        guard let entry = value.object, case .array(let list)? = entry["keyAccessObjects"], !list.isEmpty else {
            throw .invalid("a request has no keyAccessObjects")
        }
        try check(entry, entryMembers, "a request")
        let policyID = try policyID(entry["policy"])
        return Entry(
            policyID: policyID,
            objects: try list.map { value throws(KeyAccessError) in
                guard let outer = value.object, let inner = outer["keyAccessObject"]?.object else {
                    throw .invalid("a key access object is not an object")
                }
                try check(outer, ["keyAccessObjectId", "keyAccessObject"], "an element of keyAccessObjects")
                try check(inner, objectMembers, "a key access object")
                return Object(
                    id: try id(outer["keyAccessObjectId"], "keyAccessObjectId"), header: try header(inner["header"]))
            })
    }

    private static func policyID(_ value: JSONValue?) throws(KeyAccessError) -> String {
        guard let value, value != .null else { return "" }
        guard let policy = value.object else { throw .invalid("policy is not an object") }
        try check(policy, ["id", "body"], "a policy")
        return try id(policy["id"], "id of a policy")
    }

    private static func header(_ value: JSONValue?) throws(KeyAccessError) -> [UInt8]? {
        guard let value, value != .null, value != "" else { return nil }
        guard let text = value.string, let bytes = try? Base64.decode(text) else {
            throw .invalid("header is not base64 with padding")
        }
        return bytes
    }

    private static func id(_ value: JSONValue?, _ name: String) throws(KeyAccessError) -> String {
        guard let value, value != .null else { return "" }
        guard let id = value.string, id.utf8.count <= idLimit else {
            throw .invalid("\(name) is not a text of at most \(idLimit) bytes")
        }
        return id
    }

    /// The JSON text. Only requests with a key on a curve are written.
    package func body(url: String) throws(CryptographyError) -> String {
        guard case .elliptic(let key) = clientKey else {
            throw CryptographyError(.unsupportedKey, "Alcove asks with keys on elliptic curves")
        }
        let requests = entries.map { entry -> JSONValue in
            [
                "algorithm": .string("ec:\(key.curve.name)"), "policy": ["id": .string(entry.policyID)],
                "keyAccessObjects": .array(entry.objects.map { Self.value(of: $0, url: url) }),
            ]
        }
        let body: JSONValue = ["clientPublicKey": .string(try key.pem), "requests": .array(requests)]
        return body.text
    }

    private static func value(of object: Object, url: String) -> JSONValue {
        [
            "keyAccessObjectId": .string(object.id),
            "keyAccessObject": [
                "type": "remote", "protocol": "kas", "url": .string(url),
                "header": .string(Base64.encode(object.header ?? [])),
            ],
        ]
    }
}

extension KeyAccessError {
    static func invalid(_ reason: String) -> KeyAccessError {
        KeyAccessError(.invalidArgument, "the request cannot be read: \(reason)")
    }
}

/// The members that requests of this protocol have. Some repeat the file's header for older services, and decide
/// nothing. An unknown member may be a condition, so the request is refused.
extension RewrapRequest {
    static let members: Set = [
        "clientPublicKey", "requests", "keyAccess", "policy", "algorithm", "authToken", "schemaVersion",
    ]
    static let entryMembers: Set = ["keyAccessObjects", "policy", "algorithm"]
    static let objectMembers: Set = [
        "type", "keyType", "url", "kasUrl", "protocol", "wrappedKey", "policyBinding", "encryptedMetadata", "kid",
        "sid", "splitId", "header", "schemaVersion", "ephemeralPublicKey",
    ]

    static func check(_ object: JSONObject, _ known: Set<String>, _ place: String) throws(KeyAccessError) {
        guard object.has(only: known) else { throw .invalid("\(place) has a member that is not known here") }
    }
}
