/// Why an effect did not work out, as the host tells it to the core.
///
/// What a person reads is chosen by the core from `code` (see `Wording`); `message` is detail for a log and must
/// not contain secrets or content.
package struct Failure: Sendable, Hashable, Codable {
    package var code: Code
    package var message: String
    /// Whether the same request may work later.
    package var retryable: Bool
    /// How long to wait before trying again, in milliseconds, when that is known.
    package var retryAfter: Int64?
    /// The address of the server or the name of the file that it is about, for the sentence that a person reads. It holds
    /// neither user names nor passwords; what is longer than ``placeBytes`` is cut.
    package var place: String?

    /// Bytes of UTF-8 of a ``place``.
    package static let placeBytes = 512

    package init(
        _ code: Code, _ message: String = "", retryable: Bool = false, retryAfter: Int64? = nil, place: String? = nil
    ) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retryAfter = retryAfter
        self.place = place
    }

    /// Machine-readable reasons. A code that this version does not know is read as ``other``.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The rendezvous server does not answer.
        case serverUnreachable = "server_unreachable"
        /// The server's name has no address.
        case serverUnknown = "server_unknown"
        /// The server's certificate is not from an authority that is trusted here.
        case serverUntrusted = "server_untrusted"
        /// The server's certificate is for another name.
        case serverMisnamed = "server_misnamed"
        /// The server's certificate is not valid at this time.
        case serverExpired = "server_expired"
        /// The address demands TLS, but the server does not speak it.
        case serverWithoutTLS = "server_without_tls"
        /// The address is without TLS, and what is there seems to want it.
        case serverWithTLS = "server_with_tls"
        /// Something answers at the server's address that is not a rendezvous server.
        case serverForeign = "server_foreign"
        /// The file with the authorities to check certificates against cannot be read.
        case authoritiesUnreadable = "authorities_unreadable"
        /// The server answered with something that makes no sense, or with an error of its own.
        case serverError = "server_error"
        /// No open room has this code: mistyped, expired or already used.
        case codeUnknown = "code_unknown"
        /// The code ran out before the other person came.
        case codeExpired = "code_expired"
        /// The code was used, or burnt by a wrong guess.
        case codeSpent = "code_spent"
        /// The server knows the room no longer.
        case roomGone = "room_gone"
        /// Two devices are in the room already.
        case roomFull = "room_full"
        /// The server refuses for a while; `retryAfter` says how long.
        case tooManyAttempts = "too_many_attempts"
        /// The words of the join code differ on the two sides, or an attacker on the path changed the keys.
        case wordsMismatch = "words_mismatch"
        /// What was given as the words of a join code are not two of the words that codes are made of. The code is not used up.
        case wordsUnknown = "words_unknown"
        /// The other side did not answer in time.
        case peerTimeout = "peer_timeout"
        /// The other side left or deleted the room.
        case peerGone = "peer_gone"
        /// No path between the two machines was found.
        case noPath = "no_path"
        /// The same, and a TURN server does not answer.
        case relayUnreachable = "relay_unreachable"
        /// The same, and a TURN server takes the user name and the password not.
        case relayRefused = "relay_refused"
        /// A STUN or TURN server that was tried does not answer.
        case iceServerSilent = "ice_server_silent"
        /// A TURN server that was tried answers, and gives no path.
        case iceServerRefused = "ice_server_refused"
        /// A TURN server that was tried gives paths, and nothing gets through between two of them.
        case iceServerBlocked = "ice_server_blocked"
        /// There is no path because the local addresses that are to be used cannot be.
        case addressUnusable = "address_unusable"
        case fileTooLarge = "file_too_large"
        case fileUnreadable = "file_unreadable"
        /// Nothing can be saved in the place that a person chose: it is missing, or closed to this program.
        case placeUnwritable = "place_unwritable"
        /// What arrived is not what was sent.
        case fileCorrupt = "file_corrupt"
        case fileDeclined = "file_declined"
        case fileCancelled = "file_cancelled"
        /// The person, or what they use, does not let the microphone be used.
        case microphoneRefused = "microphone_refused"
        /// There is no microphone.
        case microphoneAbsent = "microphone_absent"
        /// The microphone cannot be used, or not any more.
        case microphoneFailed = "microphone_failed"
        /// The window that was to do it is gone, or has begun anew.
        case clientGone = "client_gone"
        case messageTooLarge = "message_too_large"
        /// The trust between the two has ended: their keys are destroyed and refused.
        case trustRevoked = "trust_revoked"
        /// The peer shows another identity than the one that is known.
        case identityChanged = "identity_changed"
        /// There is no key of the peer to seal with.
        case noKeys = "no_keys"
        /// A sealed message is not from the person it should be from.
        case forged
        /// A sealed message was opened before.
        case replayed
        /// A sealed message needs a key that another message has used: its sender's profile went back to an older copy.
        case keyReused = "key_reused"
        /// The key that a sealed message needs is not here, or no longer.
        case unknownKey = "unknown_key"
        /// Something is not sealed, or was damaged.
        case unreadable
        /// The note is gone for good.
        case noteUnknown = "note_unknown"
        /// The files of the note are damaged, or have not come completely.
        case noteUnreadable = "note_unreadable"
        /// The note is too large for what is to be done with it.
        case noteTooLarge = "note_too_large"
        /// The folder of notes is gone.
        case noteFolderUnknown = "note_folder_unknown"
        /// The note does not say the words that a comment should be about.
        case noteTextUnknown = "note_text_unknown"
        case commentUnknown = "comment_unknown"
        /// The comment says something else by now than what a correction of it was based on.
        case commentChanged = "comment_changed"
        case commentTooLong = "comment_too_long"
        /// Only who said something can correct or delete it.
        case notOwn = "not_own"
        /// The note is in the trash.
        case noteDeleted = "note_deleted"
        /// The directory with the notes cannot be opened: it is missing, or not a directory.
        case folderUnavailable = "folder_unavailable"
        /// The directory with the notes can be read and not written.
        case folderUnwritable = "folder_unwritable"
        case diskFull = "disk_full"
        /// The other side's version does not know what it is asked for.
        case peerTooOld = "peer_too_old"
        /// What should be installed is not an app, or is damaged.
        case packUnreadable = "pack_unreadable"
        /// A pack holds what no app may bring, or too much of it.
        case packRefused = "pack_refused"
        /// The manifest of an app is wrong.
        case manifestInvalid = "manifest_invalid"
        /// What should be installed is not what was looked at.
        case packChanged = "pack_changed"
        /// The app is not installed, or no longer.
        case appUnknown = "app_unknown"
        /// The files of an installed app are not what they should be.
        case appDamaged = "app_damaged"
        /// Another process works on the apps.
        case appsBusy = "apps_busy"
        /// The apps cannot be read or written.
        case appsUnavailable = "apps_unavailable"
        /// A component or command is not there.
        case componentUnknown = "component_unknown"
        /// A component did not start.
        case componentFailed = "component_failed"
        /// Components cannot be confined on this machine.
        case sandboxUnavailable = "wall_unavailable"
        /// An app cannot go on in the background in this way.
        case backgroundUnavailable = "background_unavailable"
        /// A core library cannot be used.
        case coreInvalid = "core_invalid"
        /// The disk is full or cannot be written.
        case storageFailed = "storage_failed"
        /// The passphrase is wrong.
        case passphraseWrong = "passphrase_wrong"
        /// The passphrase was changed so often since the start that the vault holds no further key.
        case passphraseChangedOften = "passphrase_changed_often"
        /// The vault's file is damaged.
        case vaultDamaged = "vault_damaged"
        /// A file is no archive of a profile, is damaged, or is of another version.
        case archiveUnreadable = "archive_unreadable"
        /// A profile cannot be restored where there is one already.
        case profileNotEmpty = "profile_not_empty"
        /// Apps run, so their data cannot be copied.
        case appsRunning = "apps_running"
        /// This program cannot begin anew, as it has to after a profile was restored.
        case restartUnavailable = "restart_unavailable"
        /// An agent does not start: there is no such program, or no such folder.
        case agentUnavailable = "agent_unavailable"
        /// An agent ended by itself.
        case agentEnded = "agent_ended"
        /// An agent did not answer in time, and was ended.
        case agentSilent = "agent_silent"
        /// An agent does not keep to the protocol, or speaks another version of it.
        case agentForeign = "agent_foreign"
        /// An agent refused, or broke off.
        case agentRefused = "agent_refused"
        /// The list of devices that use agents cannot be read, or not be changed.
        case devicesUnreadable = "devices_unreadable"
        /// There is no folder where an agent is to work.
        case agentFolderMissing = "agent_folder_missing"
        /// An agent wants to know first who asks.
        case agentUnauthorized = "agent_unauthorized"
        /// A model server does not answer.
        case agentUnreachable = "agent_unreachable"
        /// The desktop cannot ask the person anything: it shows no notifications, or none with buttons, or not all of the question.
        case desktopUnavailable = "desktop_unavailable"
        /// A notification would not show all of a question, or not what is decided by it.
        case tooMuchToShow = "too_much_to_show"
        /// What was given is no address of a gateway, or has no code.
        case gatewayAddressInvalid = "gateway_address_invalid"
        /// A gateway speaks no TLS, so that code and token could be read on their way.
        case gatewayReadable = "gateway_readable"
        /// No gateway answers.
        case gatewayUnreachable = "gateway_unreachable"
        /// Something answers that is no gateway.
        case gatewayForeign = "gateway_foreign"
        /// A gateway does not take the code: it is wrong, used or too old.
        case gatewayCodeRefused = "gateway_code_refused"
        /// Another machine answers than the one that gave the address.
        case gatewayOtherKey = "gateway_other_key"
        /// An agent or a model server has too much to do.
        case agentBusy = "agent_busy"
        /// An agent takes no pictures.
        case agentTakesNoPictures = "agent_takes_no_pictures"
        /// What an agent asked is not open any more.
        case requestGone = "request_gone"
        /// No answer came in the time the host allows.
        case timeout
        /// The request was given up because it is no longer wanted.
        case cancelled
        case other
    }
}

extension Failure.Code: Codable {
    package init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
    }
}
