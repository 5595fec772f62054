import AppCore

extension Event {
    /// The effect that this event answers or reports on.
    var effect: EffectID? {
        switch self {
        case .effectDone(let effect), .effectFailed(let effect, _), .roomCreated(let effect, _, _, _, _),
            .roomJoined(let effect, _, _), .roomWatching(let effect, _), .roomPending(let effect),
            .roomAccepted(let effect, _), .linkChanged(let effect, _, _), .verificationChanged(let effect, _, _),
            .peerRemembered(let effect), .acknowledged(let effect), .memberMet(let effect, _, _, _),
            .fileSaved(let effect, _), .sealedByHand(let effect, _), .openedByHand(let effect, _, _, _, _, _),
            .notesListed(let effect, _, _), .notesChanged(let effect, _, _), .foldersChanged(let effect, _),
            .notesSyncChanged(let effect, _, _), .noteText(let effect, _, _), .noteWritten(let effect, _),
            .notesFound(let effect, _), .noteDetails(let effect, _), .versionsListed(let effect, _),
            .versionRead(let effect, _), .notesExported(let effect, _, _), .notesPacked(let effect, _, _, _),
            .notesImported(let effect, _, _, _),
            .appsListed(let effect, _, _, _, _), .appsChanged(let effect, _, _),
            .appInspected(let effect, _), .installProgress(let effect, _, _), .componentStarted(let effect, _, _),
            .vaultUnlocked(let effect, _), .vaultRejected(let effect, _), .messagesMoved(let effect, _, _),
            .historyLoaded(let effect, _, _, _),
            .historyForgotten(let effect, _, _, _, _), .messagesFound(let effect, _, _),
            .receivedListed(let effect, _, _), .storageMeasured(let effect, _), .profileExported(let effect, _, _, _),
            .agentStarted(let effect), .pictureKept(let effect, _), .agentTold(let effect, _, _),
            .summaryText(let effect, _, _), .agentThreadsListed(let effect, _), .devicesRead(let effect, _),
            .gatewayPaired(let effect, _, _, _),
            .desktopAnswered(let effect, _), .voiceBegan(let effect),
            .voiceRecorded(let effect, _, _, _, _):
            effect
        case .started, .tick, .reachabilityChanged, .storageChanged, .roomTroubled, .peerLeft, .messageReceived,
            .receipts, .notificationOpened, .agentNotificationOpened,
            .typingChanged, .fileRead, .fileProgress, .fileFinished, .fileFailed, .identityKnown, .keysChanged,
            .sealedRefused, .trustRevoked,
            .noteOffered, .noteSharingChanged, .componentChanged, .appLogged, .accessDenied, .appNotification,
            .appAsksUrl, .coreChanged, .recalled, .agentsOffered, .memberWants:
            nil
        }
    }
}

extension Effect.Kind {
    /// Whether the core asks again under the same id after a failure that may pass (`docs/core.md`).
    var isKeptForLater: Bool {
        switch self {
        case .deliver, .withdraw, .deleteRooms, .eraseAll, .forgetSecrets, .declineFile, .cancelFile, .pauseFile,
            .resumeFile, .revokeTrust,
            .sealByHand, .createNote, .writeNote, .appendToNote, .changeNote, .changeFolder, .installApp, .removeApp,
            .setGrant,
            .setBackground, .startCore:
            true
        default: false
        }
    }

    /// The failure of this effect when a rule names none.
    var usualFailure: Failure {
        switch self {
        case .createRoom, .watchRoom, .checkRoom, .deleteRooms, .revokeTrust:
            Failure(.serverUnreachable, retryable: true)
        case .joinRoom: Failure(.codeUnknown)
        case .openLink: Failure(.noPath, retryable: true)
        case .deliver: Failure(.peerGone)
        case .meet, .renewKeys: Failure(.peerTimeout, retryable: true)
        case .sealByHand: Failure(.noKeys)
        case .openByHand: Failure(.unreadable)
        case .openNotes: Failure(.folderUnavailable, retryable: true)
        case .readNote, .followNote, .listVersions, .readVersion: Failure(.noteUnreadable, retryable: true)
        case .createNote, .writeNote, .appendToNote, .changeNote, .changeFolder:
            Failure(.folderUnwritable, retryable: true)
        case .shareNote: Failure(.peerTooOld)
        case .openApps: Failure(.appsUnavailable, retryable: true)
        case .inspectApp: Failure(.packUnreadable)
        case .installApp, .removeApp, .setGrant, .setBackground: Failure(.appsBusy, retryable: true)
        case .startApp: Failure(.componentFailed)
        case .startAgentSession: Failure(.agentUnavailable)
        case .recordVoice: Failure(.microphoneRefused)
        case .promptAgent(_, let turn, _, _):
            Failure(turn.isMultiple(of: 2) ? .agentEnded : .agentBusy, retryable: true)
        case .answerAgent, .giveAgent: Failure(.requestGone)
        case .keepPicture: Failure(.fileUnreadable)
        case .listAgentThreads: Failure(.agentRefused)
        case .askOnDesktop: Failure(.desktopUnavailable)
        case .readDevices: Failure(.storageFailed)
        case .interject, .sendToolToBackground: Failure(.requestGone)
        case .pairGateway: Failure(.gatewayUnreachable, retryable: true)
        case .readForSummary(_, .some): Failure(.noteUnreadable, retryable: true)
        case .readForSummary: Failure(.storageFailed, retryable: true)
        case .chooseForAgent: Failure(.agentRefused)
        case .openFile, .importNote: Failure(.fileUnreadable)
        case .exportNotes, .packNotes: Failure(.diskFull)
        case .saveFile: Failure(.placeUnwritable)
        case .checkServer: Failure(.serverUnreachable, retryable: true)
        case .openPage: Failure(.other)
        case .checkIceServer: Failure(.iceServerSilent, retryable: true)
        case .measureStorage: Failure(.storageFailed)
        case .exportProfile: Failure(.appsRunning)
        case .restoreProfile: Failure(.archiveUnreadable)
        case .startCore: Failure(.coreInvalid)
        case .loadHistory, .findMessage, .findUnseen, .listReceived, .forgetHistory:
            Failure(.storageFailed, retryable: true)
        case .setPassphrase: Failure(.passphraseWrong)
        case .unlock: Failure(.vaultDamaged)
        default: Failure(.other)
        }
    }
}
