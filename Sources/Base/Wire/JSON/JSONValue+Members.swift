extension JSONValue {
    /// Whether no object in it has two members of one name. RFC 8259 leaves open which of them counts, so two programs may read
    /// such a text as two different ones: where a decision rests on it, it is to be refused.
    public var hasUniqueMembers: Bool {
        switch self {
        case .object(let object):
            Set(object.members.map(\.name)).count == object.members.count
                && object.members.allSatisfy(\.value.hasUniqueMembers)
        case .array(let elements): elements.allSatisfy(\.hasUniqueMembers)
        default: true
        }
    }
}

extension JSONObject {
    /// Reads a whole document that is an object and can be read in one way only.
    /// - Returns: nil if it is something else, or if a name is there twice in one of its objects.
    public init?(unambiguous text: some Collection<UInt8>) {
        guard let value = try? JSONValue(text), let object = value.object, value.hasUniqueMembers else { return nil }
        self = object
    }

    /// Whether it has no other members than these.
    public func has(only names: Set<String>) -> Bool { members.allSatisfy { names.contains($0.name) } }
}
