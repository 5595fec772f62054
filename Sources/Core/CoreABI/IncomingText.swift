import AppCore
import CAlcoveCore
import Platform

/// Text that came through the C interface: it has an end, is UTF-8, and does not nest too deep. Not more is known yet.
struct IncomingText {
    let bytes: [UInt8]

    /// Copies the text, because its owner may change it after the call.
    init(_ start: UnsafePointer<CChar>?) throws(CallError) {
        guard let start else { throw CallError(.nullArgument, "the text is NULL") }
        let limit = Int(ALCOVE_CORE_TEXT_LIMIT)
        let count = strnlen(start, limit + 1)
        guard count <= limit else { throw CallError(.tooLarge, "the text is longer than \(limit) bytes") }
        bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw CallError(.notUTF8, "the text is not UTF-8") }
        guard JSON.depth(of: bytes) <= ALCOVE_CORE_DEPTH_LIMIT else {
            throw CallError(.tooDeep, "the JSON is nested deeper than \(ALCOVE_CORE_DEPTH_LIMIT)")
        }
    }

    /// The error for a refused text: `code` if it is JSON of a wrong shape, else `notJSON`.
    func error(_ code: CallError.Code, _ explanation: String) -> CallError {
        let isJSON = (try? JSON.decode(AnyJSON.self, from: bytes)) != nil
        return isJSON ? CallError(code, explanation) : CallError(.notJSON, "the text is not JSON")
    }

    /// Decodes from every JSON and keeps nothing.
    private struct AnyJSON: Decodable { init(from decoder: any Decoder) {} }
}
