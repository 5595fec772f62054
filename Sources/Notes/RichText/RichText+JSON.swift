import Wire

// A document as JSON for Markdown's code blocks and for tests. An element is `{"name", "attributes", "children"}`, a text
// is an array of runs `{"insert", "attributes"}`, as in the delta format of Yjs. Empty members are left out.

extension RichText.Node {
    /// The deepest nesting of nodes that is written as JSON. Each node takes two levels of JSON.
    static let jsonDepthLimit = 64

    var json: JSONValue {
        switch self {
        case .text(let runs): return .array(runs.map(\.json))
        case .element(let element):
            var object: JSONObject = ["name": .string(element.name)]
            if !element.attributes.isEmpty { object.append("attributes", .object(element.attributes.json)) }
            if !element.children.isEmpty { object.append("children", .array(element.children.map(\.json))) }
            return .object(object)
        }
    }

    init?(json: JSONValue) {
        switch json {
        case .array(let elements):
            let runs = elements.compactMap(RichText.Run.init)
            guard runs.count == elements.count else { return nil }
            self = .text(runs)
        case .object(let object):
            guard let name = object["name"]?.string else { return nil }
            var element = RichText.Element(name)
            if let attributes = object["attributes"] {
                guard case .object(let values) = RichText.Value(json: attributes) else { return nil }
                element.attributes = values
            }
            if let children = object["children"] {
                guard case .array(let values) = children else { return nil }
                element.children = values.compactMap(RichText.Node.init)
                guard element.children.count == values.count else { return nil }
            }
            self = .element(element)
        default: return nil
        }
    }
}

extension RichText.Run {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        switch content {
        case .text(let text): object.append("insert", .string(text))
        case .embed(let value): object.append("embed", value.json)
        }
        if !marks.isEmpty { object.append("attributes", .object(marks.json)) }
        return .object(object)
    }

    fileprivate init?(json: JSONValue) {
        guard let object = json.object else { return nil }
        if let text = object["insert"]?.string {
            self.init(text)
        } else if let value = object["embed"] {
            self.init(content: .embed(RichText.Value(json: value)))
        } else {
            return nil
        }
        if let marks = object["attributes"] {
            guard case .object(let values) = RichText.Value(json: marks) else { return nil }
            self.marks = values
        }
    }
}

extension [String: RichText.Value] {
    /// In the order of the names, so that equal values have one spelling.
    fileprivate var json: JSONObject {
        var object = JSONObject()
        for (name, value) in sorted(by: { $0.key < $1.key }) { object.append(name, value.json) }
        return object
    }
}

extension RichText.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .number(integer.map(String.init) ?? (number.isFinite ? "\(number)" : "null"))
        case .string(let string): .string(string)
        case .array(let values): .array(values.map(\.json))
        case .object(let object): .object(object.json)
        }
    }

    fileprivate init(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let spelling): self = .number(Double(spelling) ?? 0)
        case .string(let string): self = .string(string)
        case .array(let values): self = .array(values.map(Self.init(json:)))
        case .object(let object):
            self = .object(
                Dictionary(object.members.map { ($0.name, Self(json: $0.value)) }, uniquingKeysWith: { $1 }))
        }
    }
}

extension RichText.Node {
    /// JSON on one line; without bars, which mean something in tables.
    var jsonText: String { json.text.replacing("|", with: "\\u007c") }

    init?(jsonText: String) {
        guard let json = try? JSONValue(jsonText.utf8, depthLimit: 4 * Self.jsonDepthLimit) else { return nil }
        self.init(json: json)
    }
}
