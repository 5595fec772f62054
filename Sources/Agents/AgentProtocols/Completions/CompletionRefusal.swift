package import Wire

/// Why a server refuses, or fails, in its own words. Servers of this one API write that in many ways.
package enum CompletionRefusal {
    /// Reasons of a list that are told.
    private static let reasons = 8

    /// What an event in the middle of a stream says went wrong; nil if it says nothing of the kind. Only `error` counts there, and what older vLLM
    /// writes: any other object may be about something else.
    package static func words(inEvent object: JSONObject) -> String? {
        switch object["error"] {
        case .string(let text)?: text
        case .object(let error)?: error.string("message") ?? "unknown"
        default: object.string("object") == "error" ? object.string("message") ?? "unknown" : nil
        }
    }

    /// What an object says that is known to be about a failure: a whole body, or an event that is named `error`.
    package static func words(in object: JSONObject) -> String? {
        words(inEvent: object) ?? object.string("message") ?? detail(in: object)
    }

    /// As FastAPI has it, on which many servers stand: a sentence, or a list of what is wrong with the request.
    private static func detail(in object: JSONObject) -> String? {
        if let text = object.string("detail") { return text }
        let words = object.array("detail").prefix(reasons).compactMap { $0.object?.string("msg") }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// The words of a body that is a plain text, in one line and without control characters; nil if it is something else: pages and objects are not for
    /// people to read.
    /// - Parameter type: its content type, as far as it is known.
    package static func text(of body: [UInt8], type: String) -> String? {
        let type = type.lowercased()
        let first = body.first { $0 > 32 }
        guard !type.contains("html"), first != UInt8(ascii: "<"), !body.contains(0) else { return nil }
        guard !isJSON(body, first: first) else { return nil }
        let words = String(decoding: body, as: UTF8.self).unicodeScalars.split { scalar in
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
    }

    /// Also if it was cut.
    private static func isJSON(_ body: [UInt8], first: UInt8?) -> Bool {
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return true }
        return (try? JSONValue.check(body)) != nil
    }
}
