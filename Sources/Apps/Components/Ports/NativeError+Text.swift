extension NativeError {
    /// The field `err` of `ReplyWithinCall`. It is never empty, because an empty one means success.
    public var text: String {
        switch self {
        case .text(let text): text.isEmpty ? "the call failed" : String(text.prefix(Self.textLimit))
        case .exception(let exception): String(decoding: exception.text, as: UTF8.self)
        }
    }

    /// Reads the field `err`: JSON of a runtime exception is one, everything else is a text.
    public init(text: String) {
        if text.utf8.count <= 2 * RuntimeException.sizeLimit, let exception = RuntimeException(text: text.utf8) {
            self = .exception(exception)
        } else {
            self = .text(String(text.prefix(Self.textLimit)))
        }
    }

    /// Characters of a text that are passed on.
    private static let textLimit = 16 << 10
}
