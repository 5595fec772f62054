internal import Networking

/// The header fields of resumable uploads, which are structured fields (RFC 9651). One with another value counts as missing,
/// as the draft wants it.
struct UploadFields: Equatable {
    let offset: Int?
    let length: Int?
    let isComplete: Bool?
    /// Bytes of the request, if it says so.
    let count: Int?
    /// Whether the body is to be appended.
    let isPartial: Bool

    init(_ fields: HTTPFields) {
        offset = Self.integer(fields, "upload-offset")
        length = Self.integer(fields, "upload-length")
        isComplete =
            switch Self.item(fields, "upload-complete") {
            case "?1": true
            case "?0": false
            default: nil
            }
        count = fields["content-length"].flatMap(Int.init)
        isPartial = Self.item(fields, "content-type")?.lowercased() == UploadEndpoint.patchType
    }

    /// The value without parameters; nil if the field is missing or repeated.
    private static func item(_ fields: HTTPFields, _ name: String) -> String? {
        let values = fields.values(name)
        guard values.count == 1 else { return nil }
        return String(values[0].prefix { $0 != ";" && $0 != " " })
    }

    /// At most 15 digits (RFC 9651 section 3.3.1).
    private static func integer(_ fields: HTTPFields, _ name: String) -> Int? {
        guard let text = item(fields, name), (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ 48...57 ~= $0 })
        else { return nil }
        return Int(text)
    }
}
