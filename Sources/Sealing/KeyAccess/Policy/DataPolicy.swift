internal import Wire

/// The demands of a file's policy in OpenTDF's form: an object with `uuid` and `body`, which holds `dataAttributes` and
/// `dissem`.
///
/// The service cannot enforce a rule that it does not understand. So it refuses the policy if a member is unknown,
/// missing, of another type, or there twice.
package struct DataPolicy: Equatable {
    /// Its name in the audit log; empty if it has none.
    package let id: String
    /// Addresses of attributes, in lower case, all of which a reader must have.
    package let attributes: [String]
    /// The only readers, unless it is empty.
    package let dissemination: [String]

    /// Attributes and readers that one policy may have.
    package static let countLimit = 200

    /// Reads the content of a policy. An empty one demands nothing.
    /// - Throws: ``KeyAccessError`` with `permissionDenied`. It quotes nothing of the policy.
    package init(_ content: [UInt8]) throws(KeyAccessError) {
        guard !content.isEmpty else {
            (id, attributes, dissemination) = ("", [], [])
            return
        }
        guard let policy = JSONObject(unambiguous: content) else {
            throw .unclear("it is no JSON object, or has a member twice")
        }
        guard policy.has(only: ["uuid", "body"]), let body = policy["body"]?.object,
            body.has(only: ["dataAttributes", "dissem"])
        else { throw .unclear("it has other members than uuid, body, dataAttributes and dissem") }
        id = String(try Self.text(policy["uuid"], "uuid").prefix(100))
        attributes = try Self.list(body, "dataAttributes", Self.attribute)
        dissemination = try Self.list(body, "dissem", \.string)
    }

    /// A list that must be there, but may be null. If it is missing, the author may have put the rule in a place that
    /// is not read here.
    private static func list(
        _ body: JSONObject, _ name: String, _ text: (JSONValue) -> String?
    ) throws(KeyAccessError) -> [String] {
        switch body[name] {
        case .null: return []
        case .array(let elements) where elements.count <= countLimit:
            let texts = elements.compactMap(text)
            guard texts.count == elements.count else { throw .unclear("\(name) has an element that is not known") }
            return texts
        default: throw .unclear("\(name) is not a list of at most \(countLimit) elements")
        }
    }

    /// The address of an attribute, in lower case. Other members of the attribute decide nothing.
    private static func attribute(_ value: JSONValue) -> String? {
        guard let object = value.object, object.has(only: attributeMembers), let address = object["attribute"]?.string,
            !address.isEmpty
        else { return nil }
        return address.lowercased()
    }

    private static let attributeMembers: Set = [
        "attribute", "displayName", "isDefault", "pubKey", "kasUrl", "kasURL",
    ]

    private static func text(_ value: JSONValue?, _ name: String) throws(KeyAccessError) -> String {
        guard let value, value != .null else { return "" }
        guard let text = value.string else { throw .unclear("\(name) is not a text") }
        return text
    }
}

extension KeyAccessError {
    fileprivate static func unclear(_ reason: String) -> KeyAccessError {
        KeyAccessError(.permissionDenied, "this service cannot enforce the policy: \(reason)")
    }
}
