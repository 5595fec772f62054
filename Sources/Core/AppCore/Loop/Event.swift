/// What the world tells the core.
///
/// An event that is late, repeated or about something unknown changes nothing. An event with `effect` answers that effect
/// or reports on it while it lasts.
package enum Event: Sendable, Hashable, Codable {
    /// The first input of a process. With `locked`, `records` holds only those that can be read while locked, and the
    /// rest follows with ``vaultUnlocked(effect:records:)``. The outcome's effects continue what was in flight, under
    /// the old ids.
    ///
    /// A new process holds no key, so `locked` says whether the vault asks for a passphrase. What the settings say about
    /// that follows it.
    ///
    /// With `recent` the host keeps messages in order on the disk and hands them back in pages. The records then hold each room's
    /// ``LogSummary``, the messages from its ``LogSummary/from`` on, and those before that something waits for (``Message/isHeld``);
    /// older ones come by ``historyLoaded(effect:records:earlier:)``, and by ``recalled(room:records:)`` before an input names them.
    case started(locked: Bool, records: [Record], recent: Int? = nil)
    /// The time that ``Effect/Kind/schedule(at:)`` asked for has come.
    case tick
    case reachabilityChanged(online: Bool)
    /// Whether what changes can be saved: with `failure` (`disk_full`, `storage_failed`) it cannot, and waits in memory.
    case storageChanged(failure: Failure?)

    // Answers that fit every effect.

    case effectDone(effect: EffectID)
    case effectFailed(effect: EffectID, failure: Failure)

    // The rendezvous server.

    /// `code` is the six digits; `words` stands for the words that only the two people share.
    /// `tickets` is false if the server gives no proof that the room is this side's, as servers did before there were tickets.
    case roomCreated(
        effect: EffectID, code: String, words: SecretRef?, expiresAt: Timestamp, tickets: Bool? = nil)
    case roomJoined(effect: EffectID, serverRoom: ServerRoomID, tickets: Bool? = nil)
    /// Whether the server will push the acceptance (`watch_room` lasts), or the core has to poll.
    case roomWatching(effect: EffectID, on: Bool)
    case roomPending(effect: EffectID)
    case roomAccepted(effect: EffectID, serverRoom: ServerRoomID)

    // The link; `effect` is that of `open_link`.

    case linkChanged(effect: EffectID, link: LinkState, path: LinkPath?)
    /// What keeps the two of a room apart just now, while it is tried again; nothing any more without a `failure`.
    case roomTroubled(room: RoomID, failure: Failure?)
    case verificationChanged(effect: EffectID, outcome: Verification, safetyNumber: String?)
    /// Both sides can prove who they are without the words from now on, also after a restart.
    case peerRemembered(effect: EffectID)
    /// The peer said goodbye; with `forever` it deleted the room.
    case peerLeft(room: RoomID, forever: Bool)

    // Messages.

    case messageReceived(
        room: RoomID, message: MessageID, sequence: UInt64, sentAt: Timestamp, body: Body, seal: Seal? = nil)
    /// The peer has stored what `deliver` sent.
    case acknowledged(effect: EffectID)
    /// The peer has seen these.
    case receipts(room: RoomID, messages: [MessageID])
    case typingChanged(room: RoomID, on: Bool)
    /// Messages of the room as they are on the disk, in their order. After `find_message` and `find_unseen`, `earlier` says how many
    /// stand before the first of them, and `unread` how many of those the person has not seen.
    case historyLoaded(effect: EffectID, records: [Record], earlier: Int? = nil, unread: Int? = nil)
    /// The ids of what came from the peer, in their order; all messages up to the order `through` have been looked at.
    case receivedListed(effect: EffectID, messages: [MessageID], through: UInt64)
    case messagesFound(effect: EffectID, hits: [MessageHit], isFinished: Bool)
    /// The orders of the messages that are gone now, and of those among them that came from the peer; the texts' bytes; and a time before
    /// which no other one goes that is not in memory.
    case historyForgotten(effect: EffectID, orders: [UInt64], received: [UInt64], bytes: Int, expires: Timestamp?)
    /// Messages that are not in memory and that the next input names or changes.
    case recalled(room: RoomID, records: [Record])
    /// `bytes` of a file of this machine have been read, which comes before it is offered. A few times a second are enough.
    case fileRead(room: RoomID, message: MessageID, bytes: Int64)
    /// `bytes` of the file have arrived, on either side. A few times a second are enough.
    case fileProgress(room: RoomID, message: MessageID, bytes: Int64)
    /// All bytes have arrived and were checked; `path` on the side that received them.
    case fileFinished(room: RoomID, message: MessageID, path: String?)
    case fileFailed(room: RoomID, message: MessageID, failure: Failure)
    /// `path` is where the copy of a file is.
    case fileSaved(effect: EffectID, path: String)

    // Voice messages; `effect` is that of `record_voice`.

    /// The microphone is on.
    case voiceBegan(effect: EffectID)
    /// The recording is whole and to be sent; `handle` is what the host knows its file by.
    case voiceRecorded(effect: EffectID, name: String, bytes: Int64, handle: String, media: Media)

    /// The person has chosen the notification of a room.
    case notificationOpened(room: RoomID)
    /// The person has chosen the notification of a session with an agent.
    case agentNotificationOpened(session: AgentSessionID)

    // The circle.

    /// The two have found each other: where, and who this device is there.
    case memberMet(effect: EffectID, role: Room.Role, device: DeviceID, serverRoom: ServerRoomID)
    /// Who the peer is, proved over a link that is verified; the safety number is made of both identity keys.
    case identityKnown(room: RoomID, fingerprint: String, safetyNumber: String)
    /// Keys were used or made: see ``KeyState``.
    case keysChanged(room: RoomID, ours: Int, theirs: Int, epoch: Int, level: KeyState.Level)
    /// A message came that was not opened: `forged`, `replayed`, `key_reused`, `unknown_key` or
    /// `unreadable`.
    case sealedRefused(room: RoomID, reason: Failure.Code)
    /// The peer's signed notice that it ended the trust; the keys of this side are destroyed already.
    case trustRevoked(room: RoomID)
    /// `handle` is where the sealed file is.
    case sealedByHand(effect: EffectID, handle: String)
    case openedByHand(
        effect: EffectID, room: RoomID, message: MessageID, sentAt: Timestamp, body: Body, seal: Seal?)

    // Notes; `effect` is the one that asked.

    /// Everything that is in the folder, as far as it has been read.
    case notesListed(effect: EffectID, notes: [ListedNote], folders: [ListedFolder])
    /// Notes that came or changed, and notes that are gone for good.
    case notesChanged(effect: EffectID, notes: [ListedNote], removed: [NoteID])
    /// All folders, siblings in their order.
    case foldersChanged(effect: EffectID, folders: [ListedFolder])
    /// How many notes are still to be read of what came from other devices, and what is wrong with the folder.
    case notesSyncChanged(effect: EffectID, remaining: Int, failure: Failure?)
    /// The whole text of the note that `read_note` follows; `revision` names this state of it.
    case noteText(effect: EffectID, revision: String, spans: [NoteSpan])
    /// What is around the note that `follow_note` follows.
    case noteDetails(effect: EffectID, details: NoteDetails)
    /// The history of a note, the oldest entry first.
    case versionsListed(effect: EffectID, versions: [NoteVersion])
    /// The whole text (Markdown) of a note as it was.
    case versionRead(effect: EffectID, text: String)
    /// `path` is the folder that the files are in.
    case notesExported(effect: EffectID, path: String, count: Int)
    /// The file is whole. `handle` is what the host calls it, `name` what the person may call it.
    case notesPacked(effect: EffectID, handle: String, name: String, bytes: Int64)
    case notesImported(effect: EffectID, count: Int, left: Int? = nil, reason: String? = nil)
    /// The change is in the note, durably. `revision` names the state that says what was written, without what others did
    /// meanwhile: what the person writes next begins there.
    case noteWritten(effect: EffectID, revision: String)
    case notesFound(effect: EffectID, results: [NoteHit])
    /// The peer shares a note. With `adopted` it was unknown here, and the host has made it.
    case noteOffered(room: RoomID, note: NoteID, title: String, adopted: Bool)
    case noteSharingChanged(room: RoomID, note: NoteID, state: NoteShare.State)

    // Apps; `effect` is the one that asked.

    /// Everything that is installed and runs, what serves apps, and how they can go on in the background here.
    case appsListed(
        effect: EffectID, apps: [ListedApp], components: [ListedComponent], core: AppsCore,
        strategies: [BackgroundStrategy])
    /// Apps that came or changed, and apps that are gone.
    case appsChanged(effect: EffectID, apps: [ListedApp], removed: [AppID])
    case appInspected(effect: EffectID, pack: AppPack)
    /// How much of an installation is done. A few times a second are enough.
    case installProgress(effect: EffectID, done: Int64, total: Int64)
    case componentStarted(effect: EffectID, instance: InstanceID, entrypoint: String)
    /// How a component stands: `at` is when it is started again, `reason` why it crashed. One that `stopped` is gone.
    case componentChanged(
        app: AppID, instance: InstanceID, entrypoint: String, state: ListedComponent.State, at: Timestamp?,
        reason: String?)
    case appLogged(app: AppID, level: AppLogLine.Level, component: String?, text: String, at: Timestamp)
    /// An app tried what it was not granted.
    case accessDenied(app: AppID, capability: CapabilityName, text: String)
    /// An app has something to say to the person.
    case appNotification(app: AppID, text: String)
    /// An app asks to open a link; nothing is opened before the person agrees.
    case appAsksUrl(app: AppID, url: String)
    case coreChanged(core: AppsCore)

    // Agents; `effect` is the one that started the agent.

    /// The agent is ready for a prompt.
    case agentStarted(effect: EffectID)
    /// A picture for a prompt is kept.
    case pictureKept(effect: EffectID, picture: AgentPicture)
    /// What an agent said and did. `first` counts the deltas that were told before these.
    case agentTold(effect: EffectID, first: Int, deltas: [AgentDelta])
    /// What a model would be given: the newest messages of a room that are kept, or the beginning of a note. `expires_at` is when the last of it
    /// goes that goes by itself.
    case summaryText(effect: EffectID, text: CutText, expiresAt: Timestamp?)
    /// The sessions that an agent has already, also those that other programs began; without `threads` it does not say.
    case agentThreadsListed(effect: EffectID, threads: [AgentThread]?)
    /// The devices that the gateway in front of the agents lets in: all of them.
    case devicesRead(effect: EffectID, devices: [ServedDevice])
    /// What the person said on the desktop; saying nothing is a no.
    case desktopAnswered(effect: EffectID, isAccepted: Bool)
    /// A gateway has let this device in. `token` is the secret that was kept for it; `fingerprint` is the SHA-256 of its key, if it speaks TLS.
    case gatewayPaired(effect: EffectID, url: String, fingerprint: String?, token: SecretRef)
    /// A member of the circle says which of their agents this person may use: all of them.
    case agentsOffered(room: RoomID, agents: [AgentOffer])
    /// A member wants something of an agent of this machine, in a session that their machine calls so.
    case memberWants(room: RoomID, session: AgentSessionID, wish: MemberWish)

    // This machine.

    case storageMeasured(effect: EffectID, usage: StorageUsage)
    /// The archive is whole. `handle` is what the host calls it, `name` what the person may call the file.
    case profileExported(effect: EffectID, handle: String, name: String, bytes: Int64)

    // The vault.

    case vaultUnlocked(effect: EffectID, records: [Record])
    /// Meanwhile so many messages of an older profile have been moved, of so many. A few times a second are enough.
    case messagesMoved(effect: EffectID, done: Int, total: Int)
    /// The passphrase was wrong; the next attempt is possible after `retryAfter` milliseconds.
    case vaultRejected(effect: EffectID, retryAfter: Int64?)
}
