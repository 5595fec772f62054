// Notifications of the desktop about agents: one for each session that waits for its person or is done, until somebody looks at it.

/// Why a person is told of a session.
package enum AgentNotice: String, Sendable, Hashable, Codable {
    /// It asks whether it may.
    case waits
    /// A turn is over, or was lost.
    case done
}

extension AppState {
    /// Whether somebody looks at a session.
    func isLookedAt(_ session: AgentSessionID) -> Bool {
        !lock.isLocked && views.contains { $0.isLookedAt && $0.screen.page == .agent && $0.screen.session == session }
    }

    /// Tells the person, unless they look or were told already.
    mutating func tellPerson(_ id: AgentSessionID, _ notice: AgentNotice, _ context: inout DispatchContext) {
        guard settings.notificationContent != .off, let talk = talks[id], talk.notice != notice, !isLookedAt(id) else {
            return
        }
        // Whoever asked is told: that is a member in a session of theirs.
        guard notice == .waits || talk.session.guest == nil else { return }
        talks[id]?.notice = notice
        let isFull = settings.notificationContent == .full
        let asked = talk.session.approvals.last?.call.titleWords
        let text: Words = notice == .waits ? "notification.agent.waits" : talk.statusWords
        issue(
            .showAgentNotification(
                session: id, title: isFull ? talk.session.titleWords : "notification.title",
                text: isFull ? (notice == .waits ? asked ?? text : text) : .key("notification.agent.\(notice.rawValue)")
            ),
            &context)
    }

    /// Closes what nobody needs to be told any more.
    mutating func closeAgentNotices(_ context: inout DispatchContext) {
        for talk in talks.byID.values {
            guard let notice = talk.notice else { continue }
            let isOld = notice == .waits ? talk.session.status != .waits : talk.session.isInTurn
            guard isOld || settings.notificationContent == .off || isLookedAt(talk.id) else { continue }
            talks[talk.id]?.notice = nil
            issue(.closeAgentNotification(session: talk.id), &context)
        }
    }

    /// The person has chosen a notification.
    mutating func agentNotificationOpened(_ session: AgentSessionID, _ context: inout DispatchContext) {
        guard !lock.isLocked, talks[session] != nil, !isLookedAt(session) else { return }
        lead(to: Screen(.agent, session: session), &context)
    }
}
