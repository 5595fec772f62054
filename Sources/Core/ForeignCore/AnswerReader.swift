package import AppCore
import Platform

/// JSON that a foreign core returned: checked, and freed over there.
package struct ForeignJSON: Sendable, Hashable {
    /// As the core wrote it, without an envelope.
    package let bytes: [UInt8]
    package let value: JSONValue
}

/// Reads what a foreign core returns. Nothing in it is believed.
struct AnswerReader {
    /// Bytes of one text.
    let limit: Int

    private static let depthLimit = 128
    private static let opening = Array(#"{"ok":true,"result":"#.utf8)

    /// Takes a text over, and gives it back to `free` whatever it is.
    /// - Parameter isWrapped: whether there must be an envelope; without, there may be one.
    func read(
        _ text: Library.Text?, of function: String, isWrapped: Bool, free: (Library.Text?) -> Void
    ) throws(ForeignCoreError) -> ForeignJSON {
        guard let text else { throw ForeignCoreError(.noAnswer, "\(function) returned NULL") }
        defer { free(text) }
        let count = strnlen(text, limit + 1)
        guard count <= limit else {
            throw ForeignCoreError(.tooLarge, "\(function) returned more than \(limit) bytes")
        }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: text, count: count))
        guard (try? UTF8Span(validating: bytes.span)) != nil else {
            throw ForeignCoreError(.notUTF8, "\(function) returned text that is not UTF-8")
        }
        guard JSON.depth(of: bytes) <= Self.depthLimit else {
            throw ForeignCoreError(.tooDeep, "\(function) returned JSON nested deeper than \(Self.depthLimit)")
        }
        if let json = result(in: bytes) { return json }
        return try unwrap(bytes, of: function, isWrapped: isWrapped)
    }

    /// The result as it stands in an envelope that is spelt as ours.
    private func result(in envelope: [UInt8]) -> ForeignJSON? {
        guard envelope.starts(with: Self.opening), envelope.last == UInt8(ascii: "}") else { return nil }
        let bytes = Array(envelope[Self.opening.count..<(envelope.count - 1)])
        return (try? JSON.decode(JSONValue.self, from: bytes)).map { ForeignJSON(bytes: bytes, value: $0) }
    }

    private func unwrap(
        _ bytes: [UInt8], of function: String, isWrapped: Bool
    ) throws(ForeignCoreError) -> ForeignJSON {
        guard let value = try? JSON.decode(JSONValue.self, from: bytes) else {
            throw ForeignCoreError(.notJSON, "\(function) returned text that is not JSON")
        }
        let error = value["error"] ?? .null
        switch value["ok"]?.bool {
        case true?:
            guard let result = value["result"], let bytes = try? JSON.encode(result) else {
                throw ForeignCoreError(.unexpected, "\(function) returned an envelope without a result")
            }
            return ForeignJSON(bytes: bytes, value: result)
        case false?: throw refusal(function, error)
        case nil:
            guard !isWrapped else { throw ForeignCoreError(.unexpected, "\(function) returned no envelope") }
            if value.object?.count == 1, error != .null { throw refusal(function, error) }
            return ForeignJSON(bytes: bytes, value: value)
        }
    }

    private func refusal(_ function: String, _ error: JSONValue) -> ForeignCoreError {
        let clean = { (text: String) in text.withoutControls.limited(to: 500) }
        let code = error["code"]?.string.map(clean)
        let message = (error["message"]?.string ?? error.string).map(clean) ?? "no reason is given"
        return ForeignCoreError(.refused, "\(function): \(message)", reason: code)
    }
}
