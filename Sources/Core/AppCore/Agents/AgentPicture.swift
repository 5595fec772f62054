/// A picture that goes along with a prompt. The host keeps what it shows.
package struct AgentPicture: Sendable, Hashable, Codable, Identifiable {
    package let id: AgentPictureID
    /// What its file was called.
    package let name: String
    /// `image/png` or the like, as its bytes say.
    package let type: String
    package let bytes: Int

    package init(id: AgentPictureID, name: String, type: String, bytes: Int) {
        (self.id, self.name, self.type, self.bytes) = (id, name, type, bytes)
    }

    /// As it may be kept and shown here.
    var fitted: AgentPicture {
        AgentPicture(
            id: id, name: name.withoutControls.trimmed.limited(to: AgentTalkLimits.titleBytes),
            type: type.withoutControls.limited(to: AgentTalkLimits.titleBytes), bytes: max(bytes, 0))
    }
}

package typealias AgentPictureID = Identifier<AgentPicture>

extension [AgentPicture] {
    /// Nil for none, as it is written.
    var nonEmpty: [AgentPicture]? { isEmpty ? nil : self }

    /// Whether they may go along with one prompt.
    var fit: Bool {
        count <= AgentTalkLimits.pictures
            && reduce(0) { $0.clampedSum($1.bytes) } <= AgentTalkLimits.pictureBytes
    }
}

extension AgentTalk {
    /// Every picture that it holds.
    var pictures: [AgentPicture] {
        let asked = items.flatMap { item -> [AgentPicture] in
            if case .prompt(_, let pictures) = item.content { pictures ?? [] } else { [] }
        }
        return asked + session.queue.flatMap { $0.pictures ?? [] } + (session.pictures ?? [])
            + (live.early?.pictures ?? [])
    }
}

extension AgentTalks {
    /// Every picture of a prompt that is kept.
    package var pictures: Set<AgentPictureID> { Set(byID.values.flatMap(\.pictures).map(\.id)) }
}

// Pictures in prompts: given, taken back, forgotten.

extension AppState {
    /// - Parameter handle: what the host knows the file by.
    mutating func attachToPrompt(
        _ id: AgentSessionID, _ name: String, bytes: Int64, _ handle: String, _ context: inout DispatchContext
    ) {
        guard let session = talks[id]?.session, session.guest == nil, !handle.isEmpty, canKeepMore(context) else {
            return
        }
        guard session.takesPictures != false else { return notify(.problem, Wording.agentTakesNoPictures, context) }
        let known = session.pictures ?? []
        let onTheWay = pendingEffects.inOrder.filter {
            if case .keepPicture(id, _, _) = $0.kind { true } else { false }
        }
        guard bytes <= AgentTalkLimits.pictureBytes, known.count + onTheWay.count < AgentTalkLimits.pictures else {
            return notify(.problem, Wording.tooManyPictures, context)
        }
        issue(
            .keepPicture(session: id, name: name.lastPlace, handle: handle.limited(to: RoomLimits.pathBytes)), &context)
    }

    mutating func pictureKept(_ effect: EffectID, _ picture: AgentPicture, _ context: inout DispatchContext) {
        guard case .keepPicture(let id, _, _) = settle(effect, &context) else { return }
        let picture = picture.fitted
        let all = (talks[id]?.session.pictures ?? []) + [picture]
        guard talks[id] != nil, all.fit, !talks.pictures.contains(picture.id) else {
            if talks[id] != nil { notify(.problem, Wording.tooManyPictures, context) }
            return forget([picture], &context)
        }
        talks[id]?.session.pictures = all
        context.changed(.agentSession(id))
    }

    mutating func detachFromPrompt(
        _ id: AgentSessionID, _ picture: AgentPictureID, _ context: inout DispatchContext
    ) {
        guard let known = talks[id]?.session.pictures, let index = known.firstIndex(where: { $0.id == picture }) else {
            return
        }
        talks[id]?.session.pictures?.remove(at: index)
        if talks[id]?.session.pictures?.isEmpty == true { talks[id]?.session.pictures = nil }
        forget([known[index]], &context)
        context.changed(.agentSession(id))
    }

    /// The host needs them no more. One that something still shows stays.
    mutating func forget(_ pictures: [AgentPicture], _ context: inout DispatchContext) {
        guard !pictures.isEmpty else { return }
        let gone = Set(pictures.map(\.id)).subtracting(talks.pictures)
        if !gone.isEmpty { issue(.forgetPictures(pictures: gone.sorted()), &context) }
    }
}
