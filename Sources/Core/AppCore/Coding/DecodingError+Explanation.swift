extension DecodingError {
    /// A value that does not fit, in a sentence that holds nothing of it.
    package static func unfit(_ decoder: any Decoder, _ sentence: StaticString) -> DecodingError {
        unfit(decoder.codingPath, sentence)
    }

    package static func unfit(_ path: [any CodingKey], _ sentence: StaticString) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "\(sentence)", underlyingError: Unfit()))
    }

    /// Marks a description that is ours. Others may repeat what stands in the JSON.
    private struct Unfit: Error {}

    /// What is wrong with the JSON, and where, in the names of the JSON and without anything that it says.
    package var explanation: String {
        switch self {
        case .typeMismatch(let type, let context):
            "\(context.codingPath.subject) must be \(Self.kind(type))"
        case .valueNotFound(_, let context): "\(context.codingPath.subject) is null"
        case .keyNotFound(let key, let context): "\"\(wireName(key))\" is missing at \(context.codingPath.place)"
        case .dataCorrupted(let context) where context.underlyingError is Unfit:
            "\(context.debugDescription) at \(context.codingPath.place)"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is not valid" : "\(context.codingPath.subject) has no valid value"
        @unknown default: "it is not valid"
        }
    }

    private static func kind(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any Numeric.Type: "a number"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "of another kind"
        }
    }
}

extension [any CodingKey] {
    fileprivate var place: String { isEmpty ? "the top" : path }
    fileprivate var subject: String { isEmpty ? "it" : "\"\(path)\"" }

    /// `notes.3.title`, the last few.
    private var path: String { suffix(8).map { $0.intValue.map(String.init) ?? wireName($0) }.joined(separator: ".") }
}

/// How a key is written in JSON. A key of a dictionary came from outside; it is a star.
private func wireName(_ key: any CodingKey) -> String {
    let type = String(reflecting: type(of: key))
    let isDeclared = !type.hasPrefix("Foundation") && !type.hasPrefix("Swift.")
    return isDeclared ? SnakeCase.encode(key.stringValue) : "*"
}
