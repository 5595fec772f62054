/// The header fields of a request or a response (RFC 9110 section 5): ordered, names compared without case.
package struct HTTPFields: Sendable, Equatable, ExpressibleByDictionaryLiteral, Sequence {
    private var fields: [Field] = []

    private struct Field: Sendable, Equatable {
        let name: String
        let value: String
    }

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// The first value of the field; setting replaces all of its values.
    package subscript(name: String) -> String? {
        get {
            let name = name.lowercased()
            return fields.first { $0.name == name }?.value
        }
        set {
            let lowercased = name.lowercased()
            fields.removeAll { $0.name == lowercased }
            if let newValue { append(name, newValue) }
        }
    }

    /// Adds a field after the others. Names are kept in lower case; line breaks in a value become spaces, so that a
    /// value cannot smuggle in another field.
    package mutating func append(_ name: String, _ value: String) {
        let breaks: Set<UInt32> = [0, 10, 13]
        var safe = value
        if value.utf8.contains(where: { breaks.contains(UInt32($0)) }) {
            safe.unicodeScalars = .init(value.unicodeScalars.map { breaks.contains($0.value) ? " " : $0 })
        }
        fields.append(Field(name: name.lowercased(), value: safe))
    }

    /// All values of the field, in order.
    package func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name == name }.map(\.value)
    }

    package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        fields.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }

    /// Whether there is no field.
    package var isEmpty: Bool { fields.isEmpty }
}
