import AppCore
import Catalogues
import Foundation

/// Turns the tree of the chat screen into lines: each thing is printed when it appears and when its words change.
struct ChatTranscript {
    /// What is new begins here.
    static let divider = "unseen"

    private var shown: [String: ChatLine] = [:]

    /// The lines that the tree has and that were not printed yet.
    /// - Parameters:
    ///   - notices: the ids of the notices that belong into this conversation. A page shows all of them beside it.
    ///   - secret: finds the words behind a reference, to print them and nothing else.
    mutating func news(
        in tree: SemanticNode, notices: Set<UInt64>, secret: (SecretRef) async -> String?
    ) async -> [ChatLine] {
        let shownNotices = Set(notices.map { "notice.\($0)" })
        var lines: [ChatLine] = []
        if let code = await Self.code(tree, secret) { lines.append(code) }
        let unseen = tree.find("chat.messages").flatMap { Self.unseen(in: $0) }
        for node in tree.flattened {
            if let unseen, unseen.row == node.id, shown[node.id] == nil { lines.append(unseen.line) }
            if node.role == .banner, node.id.hasPrefix("notice."), !shownNotices.contains(node.id) { continue }
            guard var line = Self.line(node) else { continue }
            line.node = node.id
            line.isProgress = Self.isProgress(node) && shown[node.id]?.text == line.text
            lines.append(line)
        }
        var news: [ChatLine] = []
        for line in lines {
            let before = shown.updateValue(line, forKey: line.node)
            if before?.saysTheSame(as: line) == true { continue }
            // A problem stands in two places of the screen, and is said once.
            if line.kind != .notice || !news.contains(where: line.saysTheSame) { news.append(line) }
        }
        return news
    }

    /// What is said before the first new message, or before the first of all where there are more new ones than are shown.
    private static func unseen(in messages: SemanticNode) -> (row: String, line: ChatLine)? {
        guard let unseen = messages.facts.unseen, let oldest = messages.children.first?.id else { return nil }
        let first = messages.children.first { $0.id == unseen.first }?.id
        let detail = first == nil ? "alcove room history shows the first of them" : nil
        return (first ?? oldest, ChatLine(kind: .status, text: unseen.words.english, detail: detail, node: divider))
    }

    private static func code(_ tree: SemanticNode, _ secret: (SecretRef) async -> String?) async -> ChatLine? {
        guard case .text(let digits)? = tree.find("chat.code")?.value else { return nil }
        var line = ChatLine(kind: .code, text: digits, node: "code")
        if case .secret(let ref)? = tree.find("chat.words")?.value {
            // Half of a code would be passed on as if it were all of it. A host that has ended knows no words any more.
            guard let words = await secret(ref) else { return nil }
            line.text += "-" + words
        }
        if case .time(let end)? = tree.find("chat.expires")?.value {
            line.detail = "valid until " + WrittenTime.clock(end.milliseconds)
            line.validUntil = ISOTime(end)
        }
        return line
    }

    private static func line(_ node: SemanticNode) -> ChatLine? {
        switch node.role {
        case .status: ChatLine(kind: .status, text: node.label.english, detail: node.detail?.english)
        case .banner: ChatLine(kind: .notice, text: node.label.english, detail: choices(node))
        case .message: message(node)
        default: nil
        }
    }

    /// What can be typed about a banner or a message.
    private static func choices(_ node: SemanticNode) -> String? {
        let words = node.children.compactMap { child -> String? in
            switch (child.id, child.id.split(separator: ".").last) {
            case ("chat.offer.accept", _): "/trust"
            case ("chat.offer.decline", _): "/ignore"
            case ("chat.keys.renew", _): "/renew"
            case (_, "accept"): node.role == .message ? "/accept" : "/agree"
            case (_, "decline"): node.role == .message ? "/decline" : "/disagree"
            default: nil
            }
        }
        return words.isEmpty ? nil : words.joined(separator: " or ")
    }

    /// Whether only a receipt or the progress of a message can have changed, if its words have not.
    private static func isProgress(_ node: SemanticNode) -> Bool {
        node.role == .message && node.value != nil && !node.children.contains { $0.id.hasSuffix(".retry") }
    }

    private static func message(_ node: SemanticNode) -> ChatLine {
        let id = String(node.id.dropFirst("message.".count))
        var text = node.label.english
        let kind: ChatLine.Kind =
            switch node.side {
            case .own: .sent
            case .other: .received
            case .note, nil: .note
            }
        if case .text(let said)? = node.value { text = said }
        var detail = node.detail?.english ?? choices(node)
        if case .progress(let done, let total)? = node.value {
            // Each tenth of a file is news; each chunk is not.
            detail = total > 0 ? "\(done * 10 / total * 10) %" : nil
        }
        return ChatLine(kind: kind, text: text, detail: detail, id: id)
    }
}

extension SemanticNode {
    /// The node and everything below it, in reading order.
    var flattened: [SemanticNode] { [self] + children.flatMap(\.flattened) }
}
