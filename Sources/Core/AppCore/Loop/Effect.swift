/// Work that the core asks of the host. Data only.
///
/// The host answers every effect with one event that carries its id; the table in `docs/core.md` says which. If nothing
/// else fits, ``Event/effectDone(effect:)`` and ``Event/effectFailed(effect:failure:)`` always do. JSON is one
/// flat object: `{"id":7,"type":"close_link","room":"…"}`.
package struct Effect: Sendable, Hashable, Identifiable {
    package let id: EffectID
    package let kind: Kind
    /// The view that asked for it and waits for the answer; `nil` for the main one, and for what concerns all.
    package let view: ViewID?

    package init(id: EffectID, kind: Kind, view: ViewID? = nil) {
        self.id = id
        self.kind = kind
        self.view = view
    }

    package enum Kind: Sendable, Hashable, Codable {
        // The rendezvous server.

        /// Makes a room and its join code. Answer: `room_created`.
        case createRoom(address: RoomAddress, expiresIn: Int64)
        /// Enters a room by its code. Answer: `room_joined`.
        case joinRoom(address: RoomAddress)
        /// Waits, as long as it takes, for the other person. Meanwhile `room_watching`; answer: `room_accepted`.
        case watchRoom(address: RoomAddress)
        /// Asks once. Answer: `room_pending` or `room_accepted`.
        case checkRoom(address: RoomAddress)
        /// Says goodbye for good, purges this device's identities at the servers, drops outboxes and tickets.
        case deleteRooms(rooms: [RoomAddress])

        // The link to the peer.

        /// Opens and keeps a link until `close_link` or `leave_room`. Meanwhile `link_changed` and
        /// `verification_changed`; answer: done once it is closed.
        case openLink(address: RoomAddress, words: SecretRef?, iceServers: [IceServer])
        case closeLink(room: RoomID)
        /// Says goodbye, closes the link to the peer and then leaves at the server.
        case leaveRoom(address: RoomAddress)
        case confirmSafetyNumber(room: RoomID, matches: Bool)

        // Messages.

        /// Gets a message to the peer, now or when the link is back, once. Answer: `acknowledged`.
        case deliver(room: RoomID, message: MessageID, body: Body, sentAt: Timestamp)
        /// Messages that shall not be sent any more.
        case withdraw(room: RoomID, messages: [MessageID])
        /// Tells the peer that its messages up to this number are stored.
        case acknowledge(room: RoomID, sequence: UInt64)
        /// Tells the peer what was seen; lost if the link is down.
        case sendRead(room: RoomID, messages: [MessageID])
        /// Tells the peer that the person types; lost if the link is down.
        case sendTyping(room: RoomID, on: Bool)
        /// Wants messages that are on the disk and not in memory: at most `limit`, with an order between these two; the oldest of
        /// them if `isForward`, else the newest. Answer: `history_loaded`.
        case loadHistory(room: RoomID, after: UInt64, before: UInt64, limit: Int, isForward: Bool)
        /// Wants a message among at most `limit`, with about as many before as behind it. Those with an order over `seen` count as
        /// unread. Answer: `history_loaded`.
        case findMessage(room: RoomID, message: MessageID, limit: Int, seen: UInt64)
        /// Wants at most `limit` messages around the place up to which the person has seen them, about as many before it as behind
        /// it. Answer: `history_loaded`.
        case findUnseen(room: RoomID, limit: Int, seen: UInt64)
        /// Wants the ids of what came from the peer among the messages with an order over `after` and up to `through`, of which at
        /// most `limit` are looked at, the oldest first. Answer: `received_listed`.
        case listReceived(room: RoomID, after: UInt64, through: UInt64, limit: Int)
        /// Looks for words in the messages that are kept, of one room or of all, the newest first. Meanwhile `messages_found`, which with
        /// `is_finished` answers. A search that nobody waits for any more may end.
        case searchMessages(query: String, room: RoomID?)
        /// Messages of this room that are not in memory are to go: all whose time has come by `expiredBy`, or without a time the oldest,
        /// of so many `bytes`; at most ``RoomLimits/forgottenAtOnce`` at once. What
        /// is held in memory (``Message/isHeld``) is not touched. Answer: `history_forgotten`.
        case forgetHistory(room: RoomID, expiredBy: Timestamp?, bytes: Int?)
        /// Lets the peer send the bytes. Meanwhile `file_progress`, then `file_finished` or `file_failed`.
        case acceptFile(room: RoomID, message: MessageID)
        case declineFile(room: RoomID, message: MessageID)
        case cancelFile(room: RoomID, message: MessageID)
        /// Lets the bytes rest, also on later connections, until `resume_file`.
        case pauseFile(room: RoomID, message: MessageID)
        case resumeFile(room: RoomID, message: MessageID)
        /// Records a voice message, of `limit` milliseconds at most, until `end_voice`: the work of the effect's view, not of the
        /// host. Meanwhile `voice_began`; answer: `voice_recorded`, once it is to be sent.
        case recordVoice(room: RoomID, limit: Int64)
        /// The microphone goes off. What `recording` has is handed over, or else thrown away.
        case endVoice(recording: EffectID, sends: Bool)

        // The circle.

        /// Finds a member through the rendezvous id that the two share for the present period, as long as it takes or for
        /// `limit` milliseconds. Answer: `member_met`; `peer_timeout` when the limit is over.
        case meet(address: RoomAddress, limit: Int64?)
        /// Ends a search.
        case stopMeeting(room: RoomID)
        /// Makes new one-time keys and asks the peer for new ones. Meanwhile `keys_changed`.
        case renewKeys(room: RoomID)
        /// Destroys the keys of both directions, leaves a tombstone, says the signed notice if the link stands, closes the
        /// link and purges this device's identity at the server.
        case revokeTrust(address: RoomAddress, reason: String?)
        /// Seals a message into a file. Answer: `sealed_by_hand`.
        case sealByHand(room: RoomID, message: MessageID, body: Body, sentAt: Timestamp)
        /// Opens such a file. Answer: `opened_by_hand`.
        case openByHand(handle: String)
        /// The message is stored: the key that opened it goes, in the transaction that stores it.
        case acknowledgeByHand(room: RoomID, message: MessageID)

        // Notes. These may come before `open_notes`: the host opens the folder for them.

        /// Opens the folder and follows it until `close_notes`. Meanwhile `notes_listed` once, then `notes_changed`,
        /// `folders_changed` and `notes_sync_changed`; answer: done once it is closed.
        case openNotes
        /// Ends `open_notes`, and every `read_note` and `follow_note`.
        case closeNotes
        /// Tells the text of a note, and every change of it, until `release_note`. Meanwhile `note_text`.
        case readNote(note: NoteID)
        case releaseNote(note: NoteID)
        /// Tells what is around a note, and every change of it, until `unfollow_note`. Meanwhile `note_details`.
        case followNote(note: NoteID)
        case unfollowNote(note: NoteID)
        /// Answer: `versions_listed`.
        case listVersions(note: NoteID)
        /// Wants the text of a note as it was at that time. Answer: `version_read`.
        case readVersion(note: NoteID, at: Timestamp)
        /// Makes a note under this id, with a title, or with a text (Markdown) whose first line is the title.
        case createNote(note: NoteID, title: String, folder: FolderID?, text: String?)
        /// Makes of the state `base` of a note what `text` (Markdown) says; the change merges with what others did since.
        /// Answer: `note_written`, after the `note_text` that has it.
        case writeNote(note: NoteID, base: String, text: String)
        /// Adds a paragraph (Markdown) at the end.
        case appendToNote(note: NoteID, text: String)
        case changeNote(note: NoteID, change: NoteOperation)
        case changeFolder(folder: FolderID, change: FolderOperation)
        /// Answer: `notes_found`.
        case searchNotes(query: String)
        /// Writes a note, or all that are not in the trash, as Markdown files. Answer: `notes_exported`.
        case exportNotes(note: NoteID?)
        /// Packs a note, or all that are not in the trash, with folders and pictures into a ZIP file for the view to save.
        /// Answer: `notes_packed`.
        case packNotes(note: NoteID?)
        /// Makes a note of a Markdown file of this name. Answer: `notes_imported`.
        case importNote(name: String, handle: String, folder: FolderID?)
        /// Keeps a note equal on both sides of a link, from now on until `stop_sharing_note` or until the link is closed.
        /// Meanwhile `note_sharing_changed`.
        case shareNote(room: RoomID, note: NoteID)
        case stopSharingNote(room: RoomID, note: NoteID)

        // Apps. All but the first may come before `open_apps`.

        /// Tells what is installed and what runs, until `close_apps`. Meanwhile `apps_listed` once, then `apps_changed` and
        /// what apps do; answer: done once it is closed.
        case openApps
        /// Ends `open_apps`. What runs goes on.
        case closeApps
        /// Looks at a folder or ZIP file. Answer: `app_inspected`.
        case inspectApp(source: String)
        /// Installs what `inspect_app` looked at, if it is still the same. Of what is new in it, `grants` are granted and nothing
        /// else; an update keeps what was granted before. Meanwhile `install_progress`.
        case installApp(source: String, digest: String, grants: [CapabilityName])
        /// Removes an app, which ends what runs of it; with `data` its files too.
        case removeApp(app: AppID, data: Bool)
        /// Grants a capability, or takes it back, also from what runs.
        case setGrant(app: AppID, capability: CapabilityName, on: Bool)
        case setBackground(app: AppID, strategy: BackgroundStrategy)
        /// Starts an app as its launcher would, one component, or the component that takes a command. Answer:
        /// `component_started`, also when it was running.
        case startApp(app: AppID, component: String?, command: String?, parameters: [String])
        /// Ends one running component, or all of an app. Answer: done when it is gone.
        case stopApp(app: AppID, instance: InstanceID?)
        /// Opens a link with the system, after the person has agreed.
        case openUrl(url: String)
        /// Has the core library in a bundle serve apps, from now on and after restarts; without one the built-in core. Answer: done
        /// once that is settled and the core starts, which `core_changed` tells.
        case startCore(bundle: String?)

        // Agents. Of one session each waits for those before it.

        /// Starts an agent for a session and follows it until `close_agent_session`. Meanwhile `agent_started` when it is ready, and
        /// `agent_told`; answer: done once it has ended. `setup` says for whom it works, and with what it goes on.
        case startAgentSession(session: AgentSessionID, place: Agent.Place, folder: String?, setup: AgentSetup? = nil)
        /// Begins a turn. Answer: done when the agent has the prompt; `turn_ended` tells the end.
        case promptAgent(session: AgentSessionID, turn: Int, text: String, pictures: [AgentPicture]? = nil)
        /// Has the agent end its turn, which it tells.
        case cancelAgentTurn(session: AgentSessionID)
        /// Answers a request with one of its options; without one it is rejected.
        case answerAgent(session: AgentSessionID, request: Int, option: String?)
        /// Gives what a tool wants to be given. The host has it in its memory alone, until this.
        case giveAgent(session: AgentSessionID, request: Int, secret: SecretRef)
        /// Keeps a picture for the next prompt of a session. Answer: `picture_kept`.
        case keepPicture(session: AgentSessionID, name: String, handle: String)
        case forgetPictures(pictures: [AgentPictureID])
        /// What an agent of this name was granted of Alcove's tools belongs to the other name now, or to none.
        case moveToolGrants(from: String, to: String?)
        /// Has the agent work in another way, or with another model.
        case chooseForAgent(session: AgentSessionID, kind: AgentChooser.Kind, option: String)
        /// Says something to the agent in the middle of its turn. What became of it, a delta tells (`interjected`).
        case interject(session: AgentSessionID, prompt: Int, text: String)
        /// Takes it back, as long as the agent has not read it.
        case takeBackInterjection(session: AgentSessionID, prompt: Int)
        /// Lets the tool that runs go on in the background.
        case sendToolToBackground(session: AgentSessionID)
        /// Ends the agent of a session.
        case closeAgentSession(session: AgentSessionID)
        /// Wants what a model would be given to summarise a room or a note, one of both: at most ``SummaryLimits/bytes`` of text. Answer:
        /// `summary_text`.
        case readForSummary(room: RoomID?, note: NoteID?)
        /// Asks an agent which sessions it has already; a program is started for that, and ended. Answer: `agent_threads_listed`.
        case listAgentThreads(place: Agent.Place, folder: String)
        /// Lets a device in no more, if one is named, and tells which devices the gateway in front of the agents lets in. Answer: `devices_read`.
        case readDevices(revoking: String?)
        /// Asks the person on the desktop, outside of every page, whether a program becomes an agent, or a member may use one. Answer:
        /// `desktop_answered`.
        case askOnDesktop(about: DesktopSubject)
        /// Shows the code of a gateway to it, and keeps the token that it gives. Answer: `gateway_paired`.
        case pairGateway(name: String, address: PairingAddress)
        /// Tells a member over the link which agents they may use, now and whenever the connection is back; without a list, nothing of it goes over
        /// this link any more.
        case offerAgents(room: RoomID, agents: [AgentOffer]?)
        /// A member does not get what they want: the prompt of a turn, or that their answer counts.
        case refuseMember(room: RoomID, session: AgentSessionID, turn: Int?, request: Int?, reason: MemberRefusal)
        /// A share is gone: what was kept for its member goes, too.
        case forgetShare(share: AgentShareID)

        // This machine.

        /// Has the system show a file in the program that the person has for it.
        case openFile(path: String)
        /// Copies a file of a room to a place that the person chose: a folder, or a new file. Nothing is overwritten. Answer: `file_saved`.
        case saveFile(room: RoomID, file: String, to: String)
        /// Tells the person on the desktop of something new in a room, in the place of what it told of that room before.
        case showNotification(room: RoomID, title: Words, text: Words?)
        /// Takes the notification of a room away.
        case closeNotification(room: RoomID)
        /// The same about a session with an agent.
        case showAgentNotification(session: AgentSessionID, title: Words, text: Words?)
        case closeAgentNotification(session: AgentSessionID)
        /// Asks for a `tick` at that time. A later request replaces an earlier one. Answer: `tick`.
        case schedule(at: Timestamp)
        /// Sets, changes or (without a passphrase) removes the passphrase of the vault.
        case setPassphrase(passphrase: SecretRef?, current: SecretRef?)
        /// Answer: `vault_unlocked` or `vault_rejected`.
        case unlock(passphrase: SecretRef)
        /// Asks a server whether it is there and well.
        case checkServer(server: String)
        /// Opens a window of the page, for what ``AppState/awaited`` says.
        case openPage
        /// Tries a STUN or TURN server, which has one address.
        case checkIceServer(server: IceServer)
        /// Measures what the profile takes of the disk. Answer: `storage_measured`.
        case measureStorage
        /// Seals a copy of the profile into an archive, with `files` received ones too. Answer: `profile_exported`.
        case exportProfile(passphrase: SecretRef, files: Bool)
        /// Puts the profile of an archive in the place of this one, and begins anew: only a failure answers.
        case restoreProfile(handle: String, passphrase: SecretRef)
        /// Forgets the vault's key.
        case lock
        /// Says the end of the trust to members whose link stands, purges these identities at the servers and wipes the
        /// profile: records, files, keys, secrets.
        case eraseAll(rooms: [RoomAddress])
        case forgetSecrets(secrets: [SecretRef])
    }
}

extension Effect {
    /// The name of its kind, as in JSON: `open_link`.
    package var type: String { TagKey.name(of: kind) }
}

extension Effect: Codable {
    private enum Key: CodingKey { case id, view }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(EffectID.self, forKey: .id)
        view = try container.decodeIfPresent(ViewID.self, forKey: .view)
        let tagged = try TaggedDecoder(decoder)
        guard let kind = try tagged.decodeIfKnown(Kind.self) else { throw tagged.unknown() }
        self.kind = kind
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(view, forKey: .view)
        try kind.encode(to: TaggedEncoder(encoder))
    }
}
