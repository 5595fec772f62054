internal import Wire

/// The members that requests of this protocol have. Some say again, for older services, what the header of the file says; nothing
/// is decided by those. A member that is not known may be a condition, so the request is refused.
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
