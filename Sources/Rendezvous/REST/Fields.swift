internal import Wire

/// A join code as it goes over the wire: exactly six ASCII digits.
struct JoinID: Equatable, Sendable {
    let text: String

    init?(_ value: JSONValue?) {
        guard let text = value?.string, text.utf8.count == 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.text = text
    }
}

/// The id that a device made up for itself: any text up to a limit.
enum DeviceID {
    static let limit = 128

    static func isValid(_ value: JSONValue?) -> Bool {
        guard let text = value?.string else { return false }
        return !text.isEmpty && text.utf8.count <= limit
    }
}
