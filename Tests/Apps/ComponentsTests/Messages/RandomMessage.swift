/// The content of a message, made up for tests, as a tree that knows nothing of our types.
indirect enum Content: Sendable {
    case varint(Int64)
    case unsigned(UInt64)
    case bool(Bool)
    case string(String)
    case bytes([UInt8])
    case message([(field: Descriptors.Field, values: [Content])])
}

extension Content {
    static func random(_ name: String, in all: Descriptors, depth: Int = 0, using chance: inout SplitMix) -> Content {
        var members: [(field: Descriptors.Field, values: [Content])] = []
        for field in all.messages[name] ?? [] {
            let count = field.isRequired ? 1 : field.isRepeated ? chance.below(4) : chance.below(3) == 0 ? 0 : 1
            if depth > 4, !field.isRequired { continue }
            let values = (0..<count).map { _ in value(field.kind, in: all, depth: depth, using: &chance) }
            if !values.isEmpty { members.append((field, values)) }
        }
        return .message(members)
    }

    private static func value(
        _ kind: Descriptors.Kind, in all: Descriptors, depth: Int, using chance: inout SplitMix
    ) -> Content {
        let bits = chance.next() >> UInt64(chance.below(64))
        return switch kind {
        case .bool: .bool(bits & 1 == 1)
        case .int32: .varint(Int64(Int32(truncatingIfNeeded: chance.below(4) == 0 ? ~bits : bits)))
        case .int64: .varint(Int64(bitPattern: chance.below(4) == 0 ? ~bits : bits))
        case .uint32: .unsigned(bits & 0xffff_ffff)
        case .uint64: .unsigned(chance.below(8) == 0 ? .max : bits)
        case .string:
            .string(String((0..<chance.below(12)).compactMap { _ in "aZ0/\"\\\n\0äя…𝄞".randomElement(using: &chance) }))
        case .bytes: .bytes((0..<chance.below(200)).map { _ in UInt8(truncatingIfNeeded: chance.next()) })
        case .message(let name): random(name, in: all, depth: depth + 1, using: &chance)
        }
    }

    /// The content in protobuf's text format.
    var text: String {
        switch self {
        case .varint(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .string(let text): Self.escaped(Array(text.utf8))
        case .bytes(let bytes): Self.escaped(bytes)
        case .message(let members):
            "{"
                + members.flatMap { member in member.values.map { "\(member.field.name): \($0.text)\n" } }.joined()
                + "}"
        }
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        "\"" + bytes.map { "\\" + String("00\(String($0, radix: 8))".suffix(3)) }.joined() + "\""
    }

    /// What differs between this content and a message of ours, looked at from outside: the names and values of its
    /// properties. Nil if nothing does.
    func difference(from value: Any) -> String? {
        switch self {
        case .varint(let number):
            return (value as? Int32).map(Int64.init) ?? (value as? Int64) == number ? nil : "\(value) is not \(number)"
        case .unsigned(let number):
            return (value as? UInt32).map(UInt64.init) ?? (value as? UInt64) == number
                ? nil : "\(value) is not \(number)"
        case .bool(let bool): return value as? Bool == bool ? nil : "\(value) is not \(bool)"
        case .string(let text): return value as? String == text ? nil : "\(value) is not \(text)"
        case .bytes(let bytes):
            let actual = value as? [UInt8] ?? (value as? ArraySlice<UInt8>).map(Array.init)
            return actual == bytes ? nil : "\(value) is not \(bytes)"
        case .message(let members): return Self.difference(of: members, from: value)
        }
    }

    private static func difference(
        of members: [(field: Descriptors.Field, values: [Content])], from value: Any
    ) -> String? {
        let properties = Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: value).children.compactMap { child in
                child.label.map { ($0, child.value) }
            })
        for (field, values) in members {
            guard let property = properties[field.property] else { return "there is no \(field.property)" }
            let mirror = Mirror(reflecting: property)
            let isList = field.isRepeated || mirror.displayStyle == .optional
            let actual = isList ? mirror.children.map(\.value) : [property]
            guard actual.count == values.count else { return "\(field.property) has \(actual.count) values" }
            for (expected, actual) in zip(values, actual) {
                if let difference = expected.difference(from: actual) { return "\(field.property): \(difference)" }
            }
        }
        return nil
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
