import AppCore
import Foundation
import Host

/// Files of a conversation.
extension ChatSession {
    /// Sends files: pictures as pictures, all else as what it is.
    func send(filesIn line: String) async {
        for path in paths(in: line) { await send(path, OfferedMedia.picture(at: path)) }
    }

    /// Sends recordings as voice messages.
    func send(soundsIn line: String) async {
        for path in paths(in: line) {
            do throws(CommandFailure) {
                await send(path, try OfferedMedia.voice(at: path))
            } catch {
                show(ChatLine(kind: .notice, text: error.explanation))
            }
        }
    }

    private func paths(in line: String) -> [String] {
        let typed = TypedPaths(line)
        for problem in typed.problems { show(ChatLine(kind: .notice, text: problem)) }
        return typed.files
    }

    private func send(_ path: String, _ media: Media?) async {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes?[.size] as? NSNumber else { return }
        let name = URL(fileURLWithPath: path).lastPathComponent
        await host.dispatch(
            .chat(.sendFile(room: room, name: name, bytes: size.int64Value, handle: path, media: media)))
    }

    /// Answers the last file that can be answered.
    func answerFile(_ action: (AppCore.MessageID) -> ChatAction) async {
        let last = await host.read { state in
            state.rooms[room]?.messages.all.last { message in
                message.transfer.map { [.offered, .running, .paused].contains($0.state) } ?? false
            }?.id
        }
        guard let last else { return show(ChatLine(kind: .notice, text: "there is no file to answer")) }
        await host.dispatch(.chat(action(last)))
    }
}
