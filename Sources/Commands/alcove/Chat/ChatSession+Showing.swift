import AppCore
import Catalogues
import Foundation
import Host

/// What a conversation shows.
extension ChatSession {
    /// Shows everything that changes, until the task is cancelled.
    func follow() async {
        var transcript = ChatTranscript()
        var isTalking = false
        for await _ in await host.changes() {
            await showNews(&transcript)
            guard !isTalking, prompt != nil, await host.read({ $0.rooms[room]?.isTalking == true }) else { continue }
            isTalking = true
            show(
                ChatLine(kind: .status, text: "Write a line and press Enter to say it. /help lists what else there is.")
            )
        }
        // The last step may have come together with the end.
        await showNews(&transcript)
    }

    private func showNews(_ transcript: inout ChatTranscript) async {
        let tree = await host.tree
        guard tree.id == "chat" else { return }
        let notices = await host.read { state in
            Set(state.notices.filter { $0.room == nil || $0.room == room }.map(\.id))
        }
        let news = await transcript.news(in: tree, notices: notices, secret: { await host.secret($0) })
        for line in news { await show(withFile(line)) }
        if let last = news.last(where: { $0.kind == .received }).flatMap(\.id) {
            await host.saw(AppCore.MessageID(last), in: room)
        }
        if prompt != nil { Terminal.draw(status: Self.status(tree)) }
    }

    func show(_ line: ChatLine) {
        // Programs tell by themselves which messages are new to them.
        if json, line.node == ChatTranscript.divider { return }
        guard prompt != nil else { return Terminal.print(json ? .json(line.json) : line.plain) }
        // These stand in the status, which is always there.
        if ["chat.status", "chat.typing"].contains(line.node) { return }
        guard let id = line.id else {
            Terminal.print(line.plain)
            if line.kind == .code, drawsCode { draw(line.text) }
            return
        }
        if Terminal.replace(id, with: line.plain) || line.isProgress { return }
        var first = line
        // It may leave the window before it can be told that it arrived.
        if line.kind == .sent, line.detail == "Sending" { first.detail = nil }
        Terminal.print(first.plain, id: id)
    }

    private func draw(_ code: String) {
        let environment = ProcessInfo.processInfo.environment
        guard let picture = DrawnCode.of(code, columns: Terminal.columns(), environment: environment) else { return }
        Terminal.draw(picture)
    }

    private static func status(_ tree: SemanticNode) -> TerminalText {
        let status = tree.find("chat.status")
        let facts = [tree.label, status?.label, status?.detail, tree.find("chat.typing")?.label]
        return "\(facts.compactMap(\.?.english).joined(separator: " · "))"
    }

    /// With the size of the file, if the line tells of one, and where it is.
    private func withFile(_ line: ChatLine) async -> ChatLine {
        guard let id = line.id, let room = await host.read({ $0.rooms[room] }),
            let message = room.messages.all.last(where: { $0.id.description == id }),
            case .file(let offer) = message.body
        else { return line }
        var line = line
        line.bytes = offer.bytes
        (line.duration, line.width, line.height) = (offer.media.duration, offer.media.width, offer.media.height)
        if message.transfer?.state == .finished { line.path = message.transfer?.path }
        return line
    }

    /// A person who writes before the other one is there sees that it was taken.
    func tellThatItWaits(_ input: ChatInput) async {
        guard prompt != nil, case .say(let text) = input,
            await host.read({ $0.rooms[room]?.status != .accepted })
        else { return }
        show(ChatLine(kind: .note, text: text, detail: "is said when the other person is here"))
    }
}
