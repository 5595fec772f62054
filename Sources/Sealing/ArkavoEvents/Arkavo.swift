/// The FlatBuffers messages of Arkavo's servers and apps. `docs/protocols/arkavo-events.md` lists them and says which
/// parts of their data model Alcove uses.
///
/// A missing field is zero, empty or nil. Unknown values of enumerations are kept.
public enum Arkavo {
    /// The most bytes of an event that servers accept.
    public static let eventLimit = 2000
    /// The most bytes of an identifier that are read. The schemas mean 32.
    static let idLimit = 255
    /// The most bytes of a text that are read.
    static let textLimit = 64 * 1024
    /// The most bytes of an opaque content that are read.
    static let contentLimit = 1 << 24
    /// What is read of a list.
    static let countLimit = 10_000
}

/// An enumeration of the schemas: a signed byte. Zero means unspecified.
public protocol ArkavoEnumeration: RawRepresentable<Int8>, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// Any value, also one that the schema does not name yet.
    init(rawValue: Int8)
}

extension ArkavoEnumeration {
    /// The value of the schema.
    public init(integerLiteral value: Int8) { self.init(rawValue: value) }
}
