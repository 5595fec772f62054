/// The FlatBuffers messages of Arkavo's servers and apps, for those who talk with them. `docs/protocols/arkavo-events.md`
/// lists them and says what of their data model Alcove has a use for.
///
/// A field that is left out is zero, empty or nil. Values of enumerations that are not known here are kept.
public enum Arkavo {
    /// What a server takes of one event, in bytes.
    public static let eventLimit = 2000
    /// What is read of an identifier, in bytes. 32 are meant.
    static let idLimit = 255
    /// What is read of a text, in bytes.
    static let textLimit = 64 * 1024
    /// What is read of an opaque content, in bytes.
    static let contentLimit = 1 << 24
    /// What is read of a list.
    static let countLimit = 10_000
}

/// An enumeration of the schemas: a signed byte. Zero says that nothing was said.
public protocol ArkavoEnumeration: RawRepresentable<Int8>, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// Any value: also one that no version of the schema has named yet.
    init(rawValue: Int8)
}

extension ArkavoEnumeration {
    /// The value of the schema.
    public init(integerLiteral value: Int8) { self.init(rawValue: value) }
}
