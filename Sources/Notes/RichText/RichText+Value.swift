extension RichText.Value {
    /// The text, if this is a string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The number, if this is one.
    public var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// A whole number that a double tells exactly.
    public var integer: Int? { number.flatMap(Int.init(exactly:)) }

    /// The truth value, if this is one.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The members, if this is an object.
    public var object: [String: RichText.Value]? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension RichText.Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(dictionaryLiteral elements: (String, RichText.Value)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
