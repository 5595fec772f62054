import AppCore
import Foundation
import Host
import Sealing

/// The act in which somebody tries to cheat the seals.
extension DemoSetup {
    /// Ada seals a message by hand; on its way somebody alters a copy and keeps another. Only the first opening succeeds.
    func defendSeals() async throws -> DemoReport.Sealed {
        let room = try await ben.room()
        let sealed = try await sealByHand("Ada passes a note")
        let forgery = await ben.host.refusal(of: try SealingSession.renumbered(sealed), in: room)
        try await openByHand(sealed, expecting: "Ada passes a note")
        let replay = await ben.host.refusal(of: sealed, in: room)
        let isErased = try await ben.host.keyIsErased(of: sealed, in: room)
        timeline.say(
            "somebody",
            "gives a sealed note another number (\(forgery?.rawValue ?? "opened!")), sends it again after Ben opened it "
                + "(\(replay?.rawValue ?? "opened!")), looks for its key on Ben's disk (\(isErased ? "gone" : "there!"))"
        )
        let used = [await ada.host.keysSpent, await ben.host.keysSpent]
        let opened = [await ada.sealedMessages(), await ben.sealedMessages()]
        timeline.say(
            "both", "\(opened[0] + opened[1]) messages, each sealed to a key of its own: \(used[0] + used[1]) keys used"
        )
        return DemoReport.Sealed(
            messages: opened[0] + opened[1], keysUsed: used[0] + used[1], replayRejected: replay == .replayed,
            forgedRejected: forgery == .forged, openedAgainAfterErase: replay == nil || !isErased)
    }

    private func sealByHand(_ text: String) async throws -> [UInt8] {
        await ada.host.dispatch(.circle(.sealByHand(room: try await ada.room(), text: text)))
        let path = try await ada.expect("the sealed note") { state in
            state.rooms.first?.messages.all.last { $0.status == .carried }?.byHand?.handle
        }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func openByHand(_ sealed: [UInt8], expecting text: String) async throws {
        let path = folder + "/note.ntdf"
        try Data(sealed).write(to: URL(fileURLWithPath: path))
        await ben.host.dispatch(.circle(.openByHand(handle: path)))
        try await ben.expect("the note") { state in
            let isHere = state.rooms.first?.messages.all.contains {
                $0.direction == .received && $0.body == .text(text)
            }
            let isAcknowledged = !state.pendingEffects.byID.values.contains { kind in
                if case .acknowledgeByHand = kind { true } else { false }
            }
            return isHere == true && isAcknowledged ? true : nil
        }
    }
}
