import AppCore
import Notes

/// Says what a model would be given to summarise.
extension AppHost {
    func readForSummary(_ id: EffectID, _ room: RoomID?, _ note: NoteID?) {
        if let note {
            return inBackground(id) {
                let text = try await self.notes.library().markdown(of: note.text)
                return .summaryText(effect: id, text: SummaryMaterial(note: text).text, expiresAt: nil)
            }
        }
        do {
            let material = try room.map { try summaryMaterial(of: $0) }
            dispatch(.event(.summaryText(effect: id, text: material?.text ?? "", expiresAt: material?.expiresAt)))
        } catch {
            dispatch(.event(.effectFailed(effect: id, failure: Failure(error))))
        }
    }

    /// The newest messages of a room that are kept.
    private func summaryMaterial(of room: RoomID) throws -> SummaryMaterial {
        let page = try profile.messages(
            in: room, after: 0, before: .max, limit: SummaryLimits.messages, isForward: false)
        return SummaryMaterial(
            of: newest(page).compactMap(\.message), with: read { $0.rooms[room]?.title ?? "" }, at: clock())
    }
}
