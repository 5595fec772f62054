import Wire

/// `common.ErrorValue`: the JSON of an exception, or a text for people.
extension RuntimeException {
    /// The type that an error gets here which was not a runtime exception where it was thrown. It travels as text and arrives as a
    /// plain `Error`.
    public static let plainType = "error"

    /// An error that is not a runtime exception, only a text for people.
    public init(plain message: String) {
        self.init(type: Self.plainType, ["message": .string(message)])
    }

    /// The text, if this is a plain error.
    public var plainMessage: String? { type == Self.plainType ? fields["message"]?.string : nil }

    /// The bytes of `common.ErrorValue`.
    public var errorValue: [UInt8] {
        var writer = ProtobufWriter()
        if let plainMessage {
            writer.write(plainMessage.shortened(to: Self.sizeLimit), 2)
        } else {
            writer.write(text, 1)
        }
        return writer.bytes
    }

    /// Reads `common.ErrorValue`. Total: what is not an exception becomes a plain error.
    public init(errorValue bytes: ArraySlice<UInt8>) {
        var text: ArraySlice<UInt8> = []
        var message = ""
        var reader = ProtobufReader(bytes)
        while let field = try? reader.next() {
            switch field.number {
            case 1: text = (try? field.slice(atMost: Self.sizeLimit * 2)) ?? []
            case 2: message = (try? field.string(atMost: Self.sizeLimit * 2)) ?? ""
            default: break
            }
        }
        if !text.isEmpty, let exception = RuntimeException(text: text) {
            self = exception
        } else {
            self.init(plain: message.isEmpty ? "The other side reported an error that cannot be read." : message)
        }
    }
}
