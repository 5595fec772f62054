import Wire

/// What of a `.proto` file matters here, out of its `FileDescriptorProto`.
struct SchemaFile {
    /// The name of the file, `fs-op.proto`.
    var name = ""
    var package = ""
    /// 2 or 3.
    var syntax = 2
    var messages: [SchemaMessage] = []

    init(_ reader: ProtobufReader) throws {
        var fields = reader
        while let field = try fields.next() {
            switch field.number {
            case 1: name = try field.string(atMost: .max)
            case 2: package = try field.string(atMost: .max)
            case 4: messages.append(try SchemaMessage(try field.message()))
            case 5: throw Failure("\(name): enumerations are not supported")
            case 12: syntax = try field.string(atMost: .max) == "proto3" ? 3 : 2
            default: break
            }
        }
        for index in messages.indices { messages[index].complete(parent: package, syntax: syntax) }
        guard !package.isEmpty, !package.contains(".") else {
            throw Failure("\(name): the package must have a name of one part")
        }
    }
}

/// A `DescriptorProto`.
struct SchemaMessage {
    var name = ""
    /// With package and outer messages: `fs_op.AssetsFolderListing.AssetFolderItem`.
    var fullName = ""
    var fields: [SchemaField] = []
    var nested: [SchemaMessage] = []

    init(_ reader: ProtobufReader) throws {
        var fields = reader
        while let field = try fields.next() {
            switch field.number {
            case 1: name = try field.string(atMost: .max)
            case 2: self.fields.append(try SchemaField(try field.message()))
            case 3: nested.append(try SchemaMessage(try field.message()))
            case 4, 5, 6, 8: throw Failure("\(name): enumerations, extensions and oneof are not supported")
            default: break
            }
        }
        self.fields.sort { $0.number < $1.number }
    }

    fileprivate mutating func complete(parent: String, syntax: Int) {
        fullName = "\(parent).\(name)"
        for index in fields.indices { fields[index].complete(syntax: syntax) }
        for index in nested.indices { nested[index].complete(parent: fullName, syntax: syntax) }
    }
}

/// A `FieldDescriptorProto`.
struct SchemaField {
    enum Presence {
        case required
        /// proto2 `optional`, and every message in proto3.
        case optional
        /// proto3: zero is as good as absent.
        case implicit
        case repeated
    }

    enum Kind: Equatable {
        case int64, uint64, int32, bool, string, bytes, uint32
        /// A message by its full name.
        case message(String)
    }

    var name = ""
    var number = 0
    var kind = Kind.bytes
    var presence = Presence.optional
    /// `[ctype = CORD]`: bytes that are not copied out of the message that they come in.
    var isInPlace = false

    init(_ reader: ProtobufReader) throws {
        var fields = reader
        var type: UInt64 = 0
        var typeName = ""
        while let field = try fields.next() {
            switch field.number {
            case 1: name = try field.string(atMost: .max)
            case 3: number = Int(try field.uint32())
            case 4: presence = [2: .required, 3: .repeated][try field.uint64()] ?? .optional
            case 5: type = try field.uint64()
            case 6: typeName = String(try field.string(atMost: .max).drop { $0 == "." })
            case 8: isInPlace = try Self.isCord(try field.message())
            default: break
            }
        }
        let kinds: [UInt64: Kind] = [
            3: .int64, 4: .uint64, 5: .int32, 8: .bool, 9: .string, 11: .message(typeName), 12: .bytes, 13: .uint32,
        ]
        guard let kind = kinds[type] else { throw Failure("\(name): type \(type) is not supported") }
        self.kind = kind
        guard presence != .repeated || !isNumber || kind == .uint64 else {
            throw Failure("\(name): of the numbers, only uint64 may be repeated")
        }
    }

    /// Looks into `FieldOptions`.
    private static func isCord(_ reader: ProtobufReader) throws -> Bool {
        var options = reader
        var type: UInt64 = 0
        while let option = try options.next() { if option.number == 1 { type = try option.uint64() } }
        return type == 1
    }

    var isNumber: Bool {
        switch kind {
        case .string, .bytes, .message: false
        default: true
        }
    }

    fileprivate mutating func complete(syntax: Int) {
        if case .message = kind { return }
        if syntax == 3, presence == .optional { presence = .implicit }
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
