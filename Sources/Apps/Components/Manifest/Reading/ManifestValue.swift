internal import Wire

/// What reading a manifest came upon that is not wrong.
final class ManifestNotes {
    private static let limit = 100
    private(set) var warnings: [String] = []

    func warn(_ path: String, _ text: String) {
        if warnings.count < Self.limit { warnings.append(ManifestError(path: path, problem: text).description) }
    }
}

/// A value of a manifest that knows where it stands.
struct ManifestValue {
    let json: JSONValue
    let path: String
    let notes: ManifestNotes

    func error(_ problem: String) -> ManifestError { ManifestError(path: path, problem: problem) }

    func warn(_ text: String) { notes.warn(path, text) }

    /// Text without control characters.
    /// - Parameter limit: bytes.
    func string(atMost limit: Int = 256) throws(ManifestError) -> String {
        guard case .string(let text) = json else { throw error("must be a string") }
        guard text.utf8.count <= limit else { throw error("is longer than \(limit) bytes") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw error("has control characters in it")
        }
        return text
    }

    /// Text that is not empty.
    func name() throws(ManifestError) -> String {
        let text = try string(atMost: 128)
        guard !text.isEmpty else { throw error("must not be empty") }
        return text
    }

    func bool() throws(ManifestError) -> Bool {
        guard case .bool(let value) = json else { throw error("must be true or false") }
        return value
    }

    func measure() throws(ManifestError) -> Int {
        guard case .number(let spelling) = json, let value = Double(spelling), abs(value) <= 100_000 else {
            throw error("must be a number of points")
        }
        return Int(value)
    }

    func word<Word: RawRepresentable & CaseIterable>(of type: Word.Type = Word.self) throws(ManifestError) -> Word
    where Word.RawValue == String {
        guard let word = json.string.flatMap(Word.init) else {
            throw error("must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    /// One of some words, where a type would say no more.
    func word(_ words: String...) throws(ManifestError) -> String {
        guard let word = json.string, words.contains(word) else {
            throw error("must be \(words.map { "'\($0)'" }.joined(separator: " or "))")
        }
        return word
    }

    func domain() throws(ManifestError) -> AppDomain {
        let text = try string(atMost: AppDomain.byteLimit)
        guard let domain = AppDomain(text) else { throw error("'\(text)' is not a domain such as feeds.example.org") }
        return domain
    }

    func packPath() throws(ManifestError) -> PackPath {
        let text = try string(atMost: PackPath.byteLimit)
        guard let path = PackPath(text) else {
            throw error("'\(text)' is not the path of a file in the app, such as /main.mjs")
        }
        return path
    }

    func array(atMost limit: Int = 100) throws(ManifestError) -> [ManifestValue] {
        guard case .array(let elements) = json else { throw error("must be a list") }
        guard elements.count <= limit else { throw error("has more than \(limit) elements") }
        return elements.enumerated().map { ManifestValue(json: $1, path: "\(path)[\($0)]", notes: notes) }
    }

    /// A list, or its only element without the brackets.
    func oneOrMore() throws(ManifestError) -> [ManifestValue] {
        if case .array = json { try array() } else { [self] }
    }

    func object() throws(ManifestError) -> ManifestObject {
        ManifestObject(try members(), at: self)
    }

    /// The members of an object whose names the app chose.
    func map(atMost limit: Int = 100) throws(ManifestError) -> [(name: ManifestValue, value: ManifestValue)] {
        let members = try members()
        guard members.count <= limit else { throw error("has more than \(limit) members") }
        var chosen: [(name: ManifestValue, value: ManifestValue)] = []
        for (name, value) in members {
            let place = "\(path)[\(JSONValue.string(String(name.prefix(80))).text)]"
            chosen.append(
                (
                    ManifestValue(json: .string(name), path: place, notes: notes),
                    ManifestValue(json: value, path: place, notes: notes)
                ))
        }
        return chosen
    }

    /// The members. If several have one name, the last one counts, at the place of the first. A null is not a member.
    private func members() throws(ManifestError) -> [(String, JSONValue)] {
        guard let object = json.object else { throw error("must be an object") }
        guard object.members.count <= 1000 else { throw error("has more than 1000 members") }
        var values: [String: JSONValue] = [:]
        for member in object.members { values[member.name] = member.value }
        return object.members.compactMap { member in
            guard let value = values.removeValue(forKey: member.name), value != .null else { return nil }
            return (member.name, value)
        }
    }
}

/// An object of a manifest. Members that were not read are noted by ``done()``.
struct ManifestObject {
    private let place: ManifestValue
    private let order: [String]
    private var unread: [String: JSONValue]

    init(_ members: [(String, JSONValue)], at place: ManifestValue) {
        self.place = place
        order = members.map(\.0)
        unread = Dictionary(uniqueKeysWithValues: members)
    }

    /// nil if there is no member of that name.
    mutating func optional(_ name: String) -> ManifestValue? {
        unread.removeValue(forKey: name).map { ManifestValue(json: $0, path: path(of: name), notes: place.notes) }
    }

    mutating func required(_ name: String) throws(ManifestError) -> ManifestValue {
        guard let value = optional(name) else { throw ManifestError(path: path(of: name), problem: "is missing") }
        return value
    }

    /// Whether a member of that name is true.
    mutating func flag(_ name: String) throws(ManifestError) -> Bool { try optional(name)?.bool() ?? false }

    func done() {
        for name in order where unread[name] != nil {
            place.notes.warn(path(of: String(name.prefix(80))), "is not understood here")
        }
    }

    private func path(of name: String) -> String { place.path.isEmpty ? name : "\(place.path).\(name)" }
}

extension ManifestObject {
    /// One kind of device, or a list of them; none for all.
    mutating func formFactors() throws(ManifestError) -> Set<FormFactor> {
        Set(try optional("formFactor")?.oneOrMore().map { (value) throws(ManifestError) in try value.word() } ?? [])
    }
}
