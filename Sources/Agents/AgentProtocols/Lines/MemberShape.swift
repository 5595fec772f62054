internal import Wire

/// What a member of a message has to be.
enum MemberShape {
    case string, number, array, object, bool
    /// A whole number of 64 bits that is not negative.
    case count
    /// Anything but null.
    case any

    /// Throws `malformed` unless the object has a member of each name and of its shape. Further ones are welcome.
    /// - Parameter place: what the object is, for the error.
    static func check(
        _ object: JSONObject, has shapes: [String: MemberShape], _ place: String
    ) throws(AgentProtocolError) {
        for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
            let fits =
                switch (shape, object[name]) {
                case (.string, .string?), (.number, .number?), (.array, .array?), (.object, .object?), (.bool, .bool?):
                    true
                case (.count, .number(let spelling)?): UInt64(spelling) != nil
                case (.any, let value?): value != .null
                default: false
                }
            guard fits else { throw AgentProtocolError(.malformed, "the \(place) lack \(name)") }
        }
    }
}
