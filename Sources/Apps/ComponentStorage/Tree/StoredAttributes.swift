internal import Components
internal import Storage

/// The extended attributes that apps set, in those of the system: under names of their own, with one letter in front that says what
/// the value is.
struct StoredAttributes: Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        case json(String)
        case bytes([UInt8])

        /// As it is stored.
        var byteCount: Int {
            switch self {
            case .text(let text), .json(let text): text.utf8.count + 1
            case .bytes(let bytes): bytes.count + 1
            }
        }
    }

    private let system: ExtendedAttributes
    #if os(Linux)
    private static let prefix = "user.alcove."
    #else
    private static let prefix = "alcove."
    #endif
    /// Bytes of a name, which the system limits to 255 with the prefix.
    static let nameByteLimit = 200

    init(_ system: ExtendedAttributes) { self.system = system }

    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameByteLimit && !name.utf8.contains(0)
    }

    /// Sorted. None where the file system keeps none.
    func names() throws(FileError) -> [String] {
        do throws(FileError) {
            return try system.names().filter { $0.hasPrefix(Self.prefix) }.map {
                String($0.dropFirst(Self.prefix.count))
            }
            .sorted()
        } catch {
            if error.code == .notImplemented { return [] }
            throw error
        }
    }

    func value(_ name: String, atMost limit: Int) throws(FileError) -> Value? {
        guard let stored = try system.value(Self.prefix + name, atMost: limit + 1) else { return nil }
        switch stored.first {
        case UInt8(ascii: "t"): return .text(String(decoding: stored.dropFirst(), as: UTF8.self))
        case UInt8(ascii: "j"): return .json(String(decoding: stored.dropFirst(), as: UTF8.self))
        case UInt8(ascii: "b"): return .bytes(Array(stored.dropFirst()))
        default: return nil
        }
    }

    func set(_ name: String, to value: Value) throws(FileError) {
        let stored =
            switch value {
            case .text(let text): [UInt8(ascii: "t")] + text.utf8
            case .json(let text): [UInt8(ascii: "j")] + text.utf8
            case .bytes(let bytes): [UInt8(ascii: "b")] + bytes
            }
        try system.set(Self.prefix + name, to: stored)
    }

    /// Bytes of the names and values of those of these attributes that are there.
    func byteCount(of names: some Sequence<String>) throws(FileError) -> Int {
        var sum = 0
        for name in names {
            if let size = try system.size(Self.prefix + name) { sum += name.utf8.count + size }
        }
        return sum
    }

    /// Bytes of all; 0 if they cannot be read.
    var byteCount: Int64 { Int64((try? byteCount(of: names())) ?? 0) }

    /// The same of a file in a folder.
    static func byteCount(of name: String, in folder: Folder) -> Int64 {
        (try? folder.open(name)).map { StoredAttributes($0.attributes).byteCount } ?? 0
    }

    /// The same of a folder.
    static func byteCount(of folder: Folder) -> Int64 {
        (try? folder.attributes()).map { StoredAttributes($0).byteCount } ?? 0
    }

    func synchronize() throws(FileError) { try system.synchronize() }

    func remove(_ name: String) throws(FileError) { try system.remove(Self.prefix + name) }

    /// Takes over all that another file has.
    func copy(from other: StoredAttributes) throws(FileError) {
        for name in try other.names() {
            if let value = try other.system.value(Self.prefix + name, atMost: 64 << 10) {
                try system.set(Self.prefix + name, to: value)
            }
        }
    }
}

extension Tree {
    /// The attributes of a file or a folder.
    func attributes(_ location: Location) throws(RuntimeException) -> StoredAttributes {
        StoredAttributes(try systemAttributes(location))
    }

    /// All attributes of a file or a folder, those of the storage itself too.
    func systemAttributes(_ location: Location) throws(RuntimeException) -> ExtendedAttributes {
        if try existing(location).kind == .folder {
            let folder = try openFolder(location)
            return try location.attempt { () throws(FileError) in try folder.attributes() }
        }
        return try open(location).attributes
    }
}
