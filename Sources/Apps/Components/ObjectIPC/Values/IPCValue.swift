public import Wire

/// An argument or a reply of the functions that pack JSON with binary: `json_ipc.Value`.
public enum IPCValue: Hashable, Sendable {
    /// JavaScript's `undefined`.
    case undefined
    /// Anything that is JSON. Bytes and objects inside are null there, and stand beside it.
    case json(JSONValue, [Attachment] = [])
    /// Bytes and nothing else.
    case bytes([UInt8])
    /// An object and nothing else.
    case reference(CommonProto.ObjectReference)

    /// Bytes or an object that belongs somewhere inside a JSON value.
    public struct Attachment: Hashable, Sendable {
        /// What an attachment is.
        public enum Content: Hashable, Sendable {
            /// Bytes.
            case bytes([UInt8])
            /// An object that the other end can call.
            case reference(CommonProto.ObjectReference)
        }

        /// The names of fields and the indices on the way there, outermost first.
        public var location: [String]
        /// What belongs there.
        public var content: Content

        /// An attachment at a location, outermost name first.
        public init(_ location: [String], _ content: Content) {
            self.location = location
            self.content = content
        }
    }
}

extension IPCValue {
    /// A JSON string.
    public static func string(_ string: String) -> IPCValue { .json(.string(string)) }

    /// The JSON, without the bytes beside it. Nil if the value is not JSON.
    public var json: JSONValue? {
        if case .json(let json, _) = self { json } else { nil }
    }

    /// The text, if this is a JSON string.
    public var string: String? { json?.string }

    /// The members, if this is a JSON object.
    public var object: JSONObject? { json?.object }

    /// The truth value, if this is one in JSON.
    public var bool: Bool? {
        if case .bool(let value) = json { value } else { nil }
    }

    /// A number that has no fraction.
    public var integer: Int? {
        guard case .number(let spelling) = json else { return nil }
        return Int(spelling) ?? Double(spelling).flatMap(Int.init(exactly:))
    }

    /// The value itself, or bytes inside.
    public func bytes(at location: String...) -> [UInt8]? {
        if location.isEmpty, case .bytes(let bytes) = self { return bytes }
        guard case .bytes(let bytes) = content(at: location) else { return nil }
        return bytes
    }

    /// The value itself, or an object inside.
    public func reference(at location: String...) -> CommonProto.ObjectReference? {
        if location.isEmpty, case .reference(let reference) = self { return reference }
        guard case .reference(let reference) = content(at: location) else { return nil }
        return reference
    }

    private func content(at location: [String]) -> Attachment.Content? {
        guard case .json(_, let attachments) = self else { return nil }
        return attachments.first { $0.location == location }?.content
    }
}

extension [IPCValue] {
    /// An argument in the form that the function needs: `try arguments.argument(0, \.string)`.
    ///
    /// - Throws: `invalidBody` with the index when it is missing, or something else.
    public func argument<Form>(_ index: Int, _ form: (IPCValue) -> Form?) throws(RuntimeException) -> Form {
        guard indices.contains(index), let value = form(self[index]) else {
            throw RuntimeException(ipc: .invalidBody, ["argument": .number(String(index))])
        }
        return value
    }

    /// An argument that may be missing, undefined or null; nil then, and when it is something else.
    public func optional<Form>(_ index: Int, _ form: (IPCValue) -> Form?) -> Form? {
        indices.contains(index) ? form(self[index]) : nil
    }
}
