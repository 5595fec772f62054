import AppCore
import Rooms

/// Carries the core's wishes about messages and files to the rooms subsystem.
extension AppHost {
    func executeChat(_ effect: Effect) async {
        let id = effect.id
        switch effect.kind {
        case .deliver(let room, let message, let body, let sentAt):
            held.deliveries[message] = id
            let deliver = { @Sendable in
                try await self.rooms.deliver(
                    OutgoingMessage(
                        id: Rooms.MessageID(message.text), sentAt: UInt64(clamping: sentAt.milliseconds),
                        content: OutgoingMessage.Content(body)),
                    in: room.text
                )
            }
            // A file is read first, and what is said meanwhile does not wait for it.
            if case .file = body { beside(id, deliver) } else { await attempt(id, deliver) }
        case .withdraw(let room, let messages):
            for message in messages {
                if let delivery = held.deliveries.removeValue(forKey: message) { tasks[delivery]?.cancel() }
            }
            await attempt(id, answers: true) {
                try await self.rooms.withdraw(messages.map { try Rooms.MessageID($0.text) }, in: room.text)
            }
        case .acknowledge(let room, let sequence):
            await attempt(id, answers: true) { try await self.rooms.acknowledge(upTo: sequence, in: room.text) }
        case .sendRead(let room, let messages):
            await rooms.sendRead(messages.compactMap { try? Rooms.MessageID($0.text) }, in: room.text)
            done(id)
        case .sendTyping(let room, let on):
            await rooms.sendTyping(on, in: room.text)
            done(id)
        case .acceptFile(let room, let message):
            await attempt(id, answers: true) {
                try await self.rooms.acceptFile(Rooms.MessageID(message.text), in: room.text)
            }
        case .declineFile(let room, let message):
            await attempt(id, answers: true) {
                try await self.rooms.declineFile(Rooms.MessageID(message.text), in: room.text)
            }
        case .cancelFile(let room, let message):
            let isBeingRead = held.deliveries[message].map { tasks[$0] != nil } ?? false
            await attempt(id, answers: true) {
                try await self.rooms.cancelFile(
                    Rooms.MessageID(message.text), beforeOffer: isBeingRead, in: room.text)
            }
        case .pauseFile(let room, let message):
            await attempt(id, answers: true) {
                try await self.rooms.pauseFile(Rooms.MessageID(message.text), in: room.text)
            }
        case .resumeFile(let room, let message):
            await attempt(id, answers: true) {
                try await self.rooms.resumeFile(Rooms.MessageID(message.text), in: room.text)
            }
        default: break
        }
    }
}
