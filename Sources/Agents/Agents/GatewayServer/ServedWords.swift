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
}
