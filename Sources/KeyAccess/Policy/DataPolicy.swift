internal import Wire

/// What the policy of a file demands, as OpenTDF writes it: an object with `uuid` and `body`, which holds `dataAttributes` and
/// `dissem`.
struct DataPolicy: Equatable {
    /// Its name in the audit log; empty if it has none.
    let id: String
    /// Addresses of attributes, in lower case, all of which a reader must have.
    let attributes: [String]
    /// The only readers, unless it is empty.
    let dissemination: [String]

    /// Attributes and readers that one policy may have.
    static let countLimit = 200

    /// Reads the content of a policy. An empty one demands nothing. What is not understood is not obeyed, so it is refused.
    init(_ content: [UInt8]) throws(KeyAccessError) {
        guard !content.isEmpty else {
            (id, attributes, dissemination) = ("", [], [])
            return
        }
        guard let policy = try? JSONValue(content).object, let body = policy["body"]?.object else {
            throw KeyAccessError(.permissionDenied, "the policy is not of a kind that this service can judge")
        }
        id = String((policy["uuid"]?.string ?? "").prefix(100))
        attributes = try Self.texts(body["dataAttributes"]) { $0.object?["attribute"]?.string?.lowercased() }
        dissemination = try Self.texts(body["dissem"]) { $0.string }
    }

    private static func texts(
        _ list: JSONValue?, _ text: (JSONValue) -> String?
    ) throws(KeyAccessError) -> [String] {
        guard let list, list != .null else { return [] }
        let unclear = KeyAccessError(.permissionDenied, "the policy has a list that this service cannot judge")
        guard case .array(let elements) = list, elements.count <= countLimit else { throw unclear }
        let texts = elements.compactMap(text)
        guard texts.count == elements.count else { throw unclear }
        return texts
    }
}
