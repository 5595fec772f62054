internal import AgentProtocols
internal import Wire

// What clients of a gateway of ours ask and read, in our words and in theirs.

extension AgentPrompt {
    /// What a client asks; nil if that is nothing, or an image of it is none.
    init?(_ request: GatewayRequest) {
        guard let text = request.object.string("content"), !text.isEmpty else { return nil }
        self.init(text)
        for image in request.object.array("images") {
            guard pictures.count < AgentLimits.pictures, case .array(let parts) = image, parts.count == 2,
                let base64 = parts[1].string, let picture = PromptPicture(base64: base64)
            else { return nil }
            pictures.append(picture)
        }
    }
}

extension AgentToolCall {
    /// What came of it, as text.
    var shown: String {
        let texts = (results ?? []).map { result in
            switch result {
            case .text(let text): text.text
            case .difference(let path, _, let new): "\(path):\n\(new.text)"
            case .other(let name): "[\(name)]"
            }
        }
        return AgentText(texts.isEmpty ? output?.text ?? "" : texts.joined(separator: "\n"), limit: 256 << 10).text
    }

    /// What it was given, as it stands in a history: JSON, or the text if that is none, or none that every client reads as a part of a message.
    var given: JSONValue {
        guard let input else { return "" }
        // Values take up to fifty times the memory of their text, so they are counted before any is made.
        guard input.text.utf8.count(where: { ",:[{".utf8.contains($0) }) <= GatewayServerLimits.inputValues * 4,
            let value = try? JSONValue(input.text.utf8), value.hasUniqueMembers,
            value.count <= GatewayServerLimits.inputValues
        else { return .string(input.text) }
        return value
    }
}

extension JSONValue {
    /// Values and names in it.
    var count: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let object): object.members.reduce(1) { $0 + 1 + $1.value.count }
        case .null, .bool, .number, .string: 1
        }
    }
}
