internal import Cryptography
internal import Wire

/// The members of one object of a policy file, without duplicates. Its errors are sentences for a person.
struct PolicyMembers {
    private let object: JSONObject
    private let place: String

    init(_ object: JSONObject, of place: String) {
        self.object = object
        self.place = place
    }

    func allow(_ names: String...) throws(KeyAccessError) {
        for member in object.members where !names.contains(member.name) {
            throw .policy(
                "\(place) has a member \"\(member.name.prefix(50))\"; known are \(names.joined(separator: ", "))")
        }
    }

    func text(_ name: String) throws(KeyAccessError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string else { throw .policy("\"\(name)\" of \(place) is not a text") }
        return text
    }

    func texts(_ name: String) throws(KeyAccessError) -> [String] {
        try elements(name).map { value throws(KeyAccessError) in
            guard let text = value.string else { throw .policy("\"\(name)\" of \(place) is not a list of texts") }
            return text
        }
    }

    func flag(_ name: String) throws(KeyAccessError) -> Bool {
        switch object[name] {
        case nil: return false
        case .bool(let flag)?: return flag
        default: throw .policy("\"\(name)\" of \(place) is neither true nor false")
        }
    }

    /// The objects of a list.
    func list(_ name: String) throws(KeyAccessError) -> [PolicyMembers] {
        try elements(name).map { value throws(KeyAccessError) in
            guard let object = value.object else { throw .policy("\"\(name)\" of \(place) is not a list of objects") }
            return PolicyMembers(object, of: "an element of \"\(name)\"")
        }
    }

    /// The objects of an object, by name.
    func objects(_ name: String) throws(KeyAccessError) -> [(name: String, members: PolicyMembers)] {
        guard let value = object[name] else { return [] }
        guard let inner = value.object else { throw .policy("\"\(name)\" of \(place) is not an object") }
        return try inner.members.map { member throws(KeyAccessError) in
            guard let object = member.value.object, (1...255).contains(member.name.utf8.count) else {
                throw .policy("each member of \"\(name)\" is an object under a name of 1 to 255 bytes")
            }
            return (member.name, PolicyMembers(object, of: "\"\(member.name)\""))
        }
    }

    /// A public key in PEM.
    func key(_ pem: String) throws(KeyAccessError) -> SignatureKey {
        do {
            return try SignatureKey(file: pem.utf8)
        } catch {
            throw .policy("a key of \(place) cannot be used: \(error.message)")
        }
    }

    /// `sha256:` and 64 hexadecimal digits: tokens themselves do not belong in a file.
    func digest(_ text: String) throws(KeyAccessError) -> [UInt8] {
        let digits = text.hasPrefix("sha256:") ? text.dropFirst(7).compactMap(\.hexDigitValue) : []
        guard digits.count == 64, text.utf8.count == 71 else {
            throw .policy(
                "a token of \(place) is not \"sha256:\" and 64 hexadecimal digits: printf %s TOKEN | sha256sum")
        }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func elements(_ name: String) throws(KeyAccessError) -> [JSONValue] {
        guard let value = object[name] else { return [] }
        guard case .array(let elements) = value else { throw .policy("\"\(name)\" of \(place) is not a list") }
        return elements
    }
}

extension KeyAccessError {
    static func policy(_ reason: String) -> KeyAccessError {
        KeyAccessError(.invalidConfiguration, "the policy file cannot be used: \(reason)")
    }
}
