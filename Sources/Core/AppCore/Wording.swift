/// Every sentence that tells a person what went wrong and what to do about it, by its key in the catalogue.
enum Wording {
    static let expiryInvalid: Words = "notice.expiry_invalid"
    static let codeInvalid: Words = "notice.code_invalid"
    static let tooManyRooms = Words.key("notice.too_many_rooms", ["limit": .count(RoomLimits.rooms)])
    static let tooManyPending = Words.key("notice.too_many_pending", ["limit": .count(RoomLimits.pendingMessages)])
    static let historyFull = Words.key(
        "notice.history_full", ["bytes": .bytes(Int64(RoomLimits.historyBytes))])
    static let oldestGone = Words.key(
        "notice.oldest_gone", ["limit": .count(RoomLimits.messages), "bytes": .bytes(Int64(RoomLimits.savedBytes))])
    static let textTooLong: Words = "notice.text_too_long"
    static let nothingToSeal: Words = "notice.nothing_to_seal"
    /// What is recorded goes with the conversation.
    static let recordingLeft: Words = "notice.recording_left"
    static let locationInvalid: Words = "notice.location_invalid"
    static let placeUnreadable: Words = "notice.place_unreadable"
    static let serverInvalid: Words = "notice.server_invalid"
    static let iceServerInvalid: Words = "notice.ice_server_invalid"
    static let iceServerAddress: Words = "notice.ice_server_address"
    static let relayNeedsPassword: Words = "notice.relay_needs_password"
    static let tooManyIceServers = Words.key("notice.too_many_ice_servers", ["limit": .count(IceServerLimits.added)])
    static let noPassphrase: Words = "notice.no_passphrase"
    static let currentPassphraseNeeded: Words = "notice.current_passphrase_needed"
    static let passphraseSet: Words = "notice.passphrase_set"
    static let passphraseRemoved: Words = "notice.passphrase_removed"
    static let nothingToRemove: Words = "notice.nothing_to_remove"
    static let erasing: Words = "notice.erasing"
    static let diskFull: Words = "notice.disk_full"
    static let erased: Words = "notice.erased"
    static let lifetimeDeclined: Words = "notice.lifetime_declined"
    static let trustTooEarly: Words = "notice.trust_too_early"
    static let trustNotDelivered: Words = "notice.trust_not_delivered"
    static let circleFull = Words.key("notice.circle_full", ["limit": .count(CircleLimits.tombstones)])
    static let tooManyNotes = Words.key("notice.too_many_notes", ["limit": .count(NotebookLimits.notes)])
    static let tooManyFolders = Words.key("notice.too_many_folders", ["limit": .count(NotebookLimits.folders)])
    static let tooManyDrafts = Words.key("notice.too_many_drafts", ["limit": .count(NotebookLimits.drafts)])
    static let tooManySharedNotes = Words.key(
        "notice.too_many_shared_notes", ["limit": .count(NotebookLimits.sharedNotes)])
    static let appendUncertain: Words = "notice.append_uncertain"
    static let installationUnderWay: Words = "notice.installation_under_way"
    static let installationAsks: Words = "notice.installation_asks"
    static let parametersTooLong: Words = "notice.parameters_too_long"
    static let emptyNotification: Words = "notice.empty_notification"
    static let agentCommandInvalid: Words = "notice.agent_command_invalid"
    static let agentNotInterjected: Words = "notice.agent_not_interjected"
    static let agentNotInBackground: Words = "notice.agent_not_in_background"
    static let agentBeingAsked: Words = "notice.agent_being_asked"
    static let agentNotAdded: Words = "notice.agent_not_added"
    static let agentShareChanged: Words = "notice.agent_share_changed"
    static let agentStaysUnshared: Words = "notice.agent_stays_unshared"
    static let agentServerInvalid: Words = "notice.agent_server_invalid"
    static let agentNameMissing: Words = "notice.agent_name_missing"
    static let tooManyAgents = Words.key("notice.too_many_agents", ["limit": .count(AgentListLimits.agents)])
    static let agentQuoteOpen: Words = "notice.agent_quote_open"
    static let agentGone: Words = "notice.agent_gone"
    static let agentChoiceGone: Words = "notice.agent_choice_gone"
    static let agentFolderInvalid: Words = "notice.agent_folder_invalid"
    static let agentPromptTooLong = Words.key(
        "notice.agent_prompt_too_long", ["bytes": .bytes(Int64(AgentTalkLimits.promptBytes))])
    static let tooManyPrompts: Words = "notice.too_many_prompts"
    static let tooManyAgentSessions = Words.key(
        "notice.too_many_agent_sessions", ["limit": .count(AgentTalkLimits.sessions)])
    static let tooManyAgentsRun = Words.key(
        "notice.too_many_agents_run", ["limit": .count(AgentTalkLimits.running)])
    static let agentTakesNoPictures = Words(Failure(.agentTakesNoPictures))
    static let tooManyPictures = Words.key(
        "notice.too_many_pictures",
        ["count": .count(AgentTalkLimits.pictures), "bytes": .bytes(Int64(AgentTalkLimits.pictureBytes))])
    static let inputGone: Words = "notice.input_gone"
    static let approvalGone: Words = "notice.approval_gone"
    static let answerTooLate: Words = "notice.answer_too_late"
    static let summaryChanged: Words = "notice.summary_changed"
    static let summaryGone: Words = "notice.summary_gone"
    static let shareNeedsMember: Words = "notice.share_needs_member"
    static let shareOfOthers: Words = "notice.share_of_others"
    static let tooManyShares = Words.key("notice.too_many_shares", ["limit": .count(AgentShareLimits.shares)])
    static let agentNotShared: Words = "notice.agent_not_shared"
    static let unverified: Words = "notice.unverified"
    static let noTickets: Words = "notice.no_tickets"

    /// Nothing new can be saved.
    static func storage(_ failure: Failure) -> Words {
        failure.code == .diskFull ? "notice.storage.disk_full" : "notice.storage.failed"
    }

    /// A name that another agent has.
    static func agentNameTaken(_ name: String) -> Words { .key("notice.agent_name_taken", ["name": .said(name)]) }

    /// A program has written something for the person.
    static func draftLeft(by author: String) -> Words { .key("notice.draft_left", ["author": .said(author)]) }

    /// An app tried something that it may not do.
    static func denied(_ what: Words) -> Words { .key("notice.denied", ["what": .words(what)]) }

    /// Nothing can be said any more where something was recorded.
    static func recordingEnded(_ status: Words) -> Words {
        .key("notice.recording_ended", ["status": .words(status)])
    }

    /// What is said about a recording until the next one begins.
    static let ofRecordings =
        [Failure.Code.microphoneRefused, .microphoneAbsent, .microphoneFailed, .clientGone]
        .map { Words(Failure($0)) } + [recordingLeft]

    /// Something was typed into a room that takes nothing.
    static func cannotWrite(_ status: Words) -> Words { .key("notice.cannot_write", ["status": .words(status)]) }

    /// A passphrase, perhaps the right one, came while the wait after wrong ones lasts.
    static func passphraseTooEarly(milliseconds wait: Int64) -> Words {
        .key("notice.passphrase_too_early", ["wait": .wait(wait)])
    }

    /// Why a file was not copied.
    static func savingSentence(for failure: Failure) -> Words { failure.code == .diskFull ? diskFull : Words(failure) }

    /// What went wrong with a passphrase.
    static func passphraseSentence(for failure: Failure) -> Words {
        if failure.code == .diskFull { return diskFull }
        guard failure.code == .tooManyAttempts, let wait = failure.wait else { return Words(failure) }
        return passphraseTooEarly(milliseconds: wait)
    }
}

extension Words {
    /// What a person reads about a failure: `failure.` with its code, and `.at` or `.wait` if there is a sentence with the place or with
    /// the time to wait.
    package init(_ failure: Failure) {
        var (key, args) = ("failure.\(failure.code.rawValue)", [String: Arg]())
        if let place = failure.place, failure.code.namesPlaces {
            key += ".at"
            args["place"] = .said(place)
        }
        if let wait = failure.wait, failure.code.namesWaits {
            key += ".wait"
            args["wait"] = .wait(wait)
        }
        if failure.code == .commentTooLong { args["limit"] = .count(NotebookLimits.commentLength) }
        if failure.code == .fileTooLarge { args["limit"] = .bytes(RoomLimits.fileBytes) }
        self = .key(key, args)
    }
}

extension Words.Arg {
    /// A time to wait in whole seconds, rounded up, so that what is told twice in a second is told once.
    fileprivate static func wait(_ milliseconds: Int64) -> Words.Arg {
        .duration(milliseconds.roundedUp(toMultipleOf: 1000))
    }
}

extension Int64 {
    fileprivate func roundedUp(toMultipleOf unit: Int64) -> Int64 {
        let rest = self % unit
        return rest > 0 && self <= .max - unit ? self - rest + unit : self
    }
}

extension Failure.Code {
    /// Whether there is a sentence with the address or file that the failure is about.
    package var namesPlaces: Bool {
        switch self {
        case .serverUnreachable, .serverUnknown, .serverForeign, .serverWithTLS, .serverWithoutTLS, .serverUntrusted,
            .serverMisnamed, .serverExpired, .authoritiesUnreadable, .serverError, .noPath, .relayUnreachable,
            .relayRefused, .addressUnusable, .agentUnavailable, .agentUnreachable, .gatewayUnreachable, .fileUnreadable:
            true
        default: false
        }
    }

    /// Whether there is a sentence with the time to wait.
    package var namesWaits: Bool {
        switch self {
        case .serverError, .tooManyAttempts, .passphraseWrong, .timeout, .other: true
        default: false
        }
    }
}

extension Failure {
    /// Milliseconds to wait before the next try; nil also for no wait, which is not worth telling.
    fileprivate var wait: Int64? { retryAfter.flatMap { $0 > 0 ? $0 : nil } }

    /// What a person reads about it who gave or changed the passphrase.
    package var passphraseWords: Words { Wording.passphraseSentence(for: self) }
}

extension Room {
    /// The name to show.
    package var titleWords: Words {
        if !name.isEmpty { return .said(name) }
        return code.map { .key("room.with_code", ["code": .said($0)]) } ?? "room.new"
    }
}
