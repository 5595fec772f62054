import AppCore
import AppPacks
import Apps
import Components
import DataChannels
import ExternalCore
import Notes
import Rooms
import Sealing
import Storage
import Wire

/// The core's words and the words of Rooms for the same things.
extension Rooms.RoomAddress {
    init(_ address: AppCore.RoomAddress) {
        self.init(
            room: address.room.text, role: address.role == .creator ? .initiator : .responder,
            server: address.server, device: address.device.text, digits: address.code,
            serverRoom: address.serverRoom?.text)
    }
}

extension OutgoingMessage.Content {
    init(_ body: Body) throws {
        switch body {
        case .text(let text): self = .ready(.text(text))
        case .file(let offer):
            guard let path = offer.handle else { throw Failure(.fileUnreadable, "the file has no place") }
            let voice =
                offer.media.kind == .voice
                ? VoiceNote(duration: UInt64(clamping: offer.media.duration ?? 0), waveform: offer.media.waveform ?? [])
                : nil
            self = .file(path: path, name: offer.name, voice: voice, picture: PictureNote(offer.media))
        case .location(let location):
            self = .ready(
                .location(
                    SharedLocation(
                        latitude: location.latitude, longitude: location.longitude, accuracy: location.accuracy,
                        measuredAt: location.measuredAt.map { UInt64(clamping: $0.milliseconds) })))
        case .lifetimeProposal(let lifetime): self = .ready(.lifetimeProposal(AgreedLifetime(lifetime)))
        case .lifetimeAnswer(let proposal, let accepted):
            self = .ready(.lifetimeAnswer(proposal: try Rooms.MessageID(proposal.text), accepted: accepted))
        case .reply(let message, let text):
            self = .ready(.related(Relation(.answers, try Rooms.MessageID(message.text)), text: text))
        case .reaction(let message, let emoji):
            let kind: Relation.Kind = emoji == nil ? .reactsNoMore : .reacts
            self = .ready(.related(Relation(kind, try Rooms.MessageID(message.text)), text: emoji ?? ""))
        case .edit(let message, let version, let text):
            let relation = Relation(
                .replaces, try Rooms.MessageID(message.text), version: UInt64(clamping: version))
            self = .ready(.related(relation, text: text))
        case .deletion(let message):
            self = .ready(.related(Relation(.deletes, try Rooms.MessageID(message.text)), text: ""))
        case .changeAnswer(let change, let accepted):
            let kind: Relation.Kind = accepted ? .followed : .kept
            self = .ready(.related(Relation(kind, try Rooms.MessageID(change.text)), text: ""))
        case .trust: self = .ready(.trust)
        case .deleted, .lifetimeChanged, .becameMember, .peerLeft, .noteShared:
            throw Failure(.other, "a line of this side is not sent")
        }
    }
}

extension PictureNote {
    /// Nil for what is no picture. A thumbnail that is none, or too long, is left out.
    fileprivate init?(_ media: Media) {
        guard media.kind == .picture, let width = media.width, let height = media.height else { return nil }
        let thumbnail = media.thumbnail.flatMap { try? Base64.decode($0) } ?? []
        let fits = thumbnail.count <= Envelope.Limit.thumbnail && Self.isPicture(thumbnail)
        self.init(
            width: UInt64(clamping: width), height: UInt64(clamping: height), thumbnail: fits ? thumbnail : [])
    }
}

extension Body {
    /// Nil for content that has no meaning for the core.
    init?(_ content: MessageContent) {
        switch content {
        case .text(let text): self = .text(text)
        case .file(let offer):
            let media = offer.voice.map { Media.voice(duration: Int64(clamping: $0.duration), waveform: $0.waveform) }
            let picture = offer.picture.map { picture in
                Media.picture(
                    width: Int(clamping: picture.width), height: Int(clamping: picture.height),
                    thumbnail: picture.thumbnail.isEmpty ? nil : Base64.encode(picture.thumbnail))
            }
            self = .file(
                FileOffer(name: offer.name, bytes: Int64(clamping: offer.bytes), media: media ?? picture ?? .file))
        case .location(let location):
            self = .location(
                Location(
                    latitude: location.latitude, longitude: location.longitude, accuracy: location.accuracy,
                    measuredAt: location.measuredAt.map { Timestamp(milliseconds: Int64(clamping: $0)) }))
        case .lifetimeProposal(let lifetime):
            guard let known = Lifetime(lifetime) else { return nil }
            self = .lifetimeProposal(known)
        case .lifetimeAnswer(let proposal, let accepted):
            self = .lifetimeAnswer(proposal: AppCore.MessageID(proposal.description), accepted: accepted)
        case .related(let relation, let text):
            let message = AppCore.MessageID(relation.message.description)
            switch relation.kind {
            case .answers: self = .reply(to: message, text: text)
            case .reacts: self = .reaction(to: message, emoji: text)
            case .reactsNoMore: self = .reaction(to: message, emoji: nil)
            case .replaces: self = .edit(of: message, version: Int(clamping: relation.version), text: text)
            case .deletes: self = .deletion(of: message)
            case .followed: self = .changeAnswer(change: message, accepted: true)
            case .kept: self = .changeAnswer(change: message, accepted: false)
            }
        case .trust: self = .trust
        case .withdrawn, .unknown: return nil
        }
    }
}

extension AgreedLifetime {
    init(_ lifetime: Lifetime) {
        switch lifetime {
        case .keep: self = .keep
        case .ephemeral: self = .ephemeral
        default: self = .seconds(UInt64(clamping: lifetime.seconds ?? 0))
        }
    }
}

extension Lifetime {
    init?(_ lifetime: AgreedLifetime) {
        switch lifetime {
        case .keep: self = .keep
        case .ephemeral: self = .ephemeral
        case .seconds(let seconds): self.init(seconds: Int64(clamping: seconds))
        }
    }
}

extension AppCore.LinkState {
    init(_ state: Rooms.LinkState) {
        switch state {
        case .connecting: self = .connecting
        case .waitingForPeer: self = .waitingForPeer
        case .verifying: self = .verifying
        case .connected: self = .connected
        case .reconnecting: self = .reconnecting
        case .closed: self = .closed
        }
    }
}

extension LinkPath {
    init(_ path: Statistics.Path) {
        switch path {
        case .direct: self = .direct
        case .reflexive: self = .reflexive
        case .relayed: self = .relayed
        }
    }
}

extension AppCore.Verification {
    init(_ trust: RoomTrust) {
        switch trust {
        case .unmet: self = .none
        case .unverified: self = .unverified
        case .verified: self = .verified
        case .refused: self = .failed
        }
    }
}

extension Failure: Error {}

extension Failure {
    /// What went wrong in a subsystem, in the core's words.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let failure as RoomsFailure: self.init(failure)
        case let failure as LinkFailure: self.init(failure)
        case let failure as NoteFailure: self.init(failure)
        case let failure as AppFailure: self.init(failure)
        case let error as AppPackError: self.init(error)
        case let error as ComponentError: self.init(.sandboxUnavailable, error.message)
        case let error as CoreError: self.init(.coreInvalid, error.message)
        case let error as SealingError: self.init(error.code, error.message)
        case let error as VaultError: self.init(error)
        case let error as ProfileArchiveError: self.init(error)
        case let problem as FileCopy.Problem: self.init(problem)
        case is DatabaseError: self.init(.storageFailed, "the profile cannot be written", retryable: true)
        case is CancellationError: self.init(Code.cancelled)
        default: self.init(.other, "\(type(of: error))")
        }
    }

    init(_ failure: RoomsFailure) {
        let code: Code =
            switch failure.code {
            case .serverUnreachable: .serverUnreachable
            case .serverUnknown: .serverUnknown
            case .serverUntrusted: .serverUntrusted
            case .serverMisnamed: .serverMisnamed
            case .serverExpired: .serverExpired
            case .serverWithoutTLS: .serverWithoutTLS
            case .serverWithTLS: .serverWithTLS
            case .serverForeign: .serverForeign
            case .authoritiesUnreadable: .authoritiesUnreadable
            case .noPath: .noPath
            case .relayUnreachable: .relayUnreachable
            case .relayRefused: .relayRefused
            case .iceServerSilent: .iceServerSilent
            case .iceServerRefused: .iceServerRefused
            case .iceServerBlocked: .iceServerBlocked
            case .addressUnusable: .addressUnusable
            case .serverError, .badRequest: .serverError
            case .codeUnknown: .codeUnknown
            case .codeExpired: .codeExpired
            case .codeSpent: .codeSpent
            case .peerTimeout: .peerTimeout
            case .roomGone, .forbidden, .unknownRoom: .roomGone
            case .tooManyAttempts: .tooManyAttempts
            case .storageFailed: .storageFailed
            case .fileUnreadable: .fileUnreadable
            case .fileTooLarge: .fileTooLarge
            case .fileCorrupt: .fileCorrupt
            case .fileDeclined: .fileDeclined
            case .fileCancelled: .fileCancelled
            case .messageTooLarge: .messageTooLarge
            }
        let wait = failure.retryAfter.map { $0.components.seconds * 1000 }
        self.init(
            code, failure.message, retryable: failure.isRetryable, retryAfter: wait, place: failure.place)
    }

    init(_ failure: LinkFailure) {
        let code: Code =
            switch failure {
            case .roomGone, .forbidden: .roomGone
            case .roomFull: .roomFull
            case .peerKeyChanged, .wordsDoNotMatch: .wordsMismatch
            case .identityChanged: .identityChanged
            case .trustRevoked: .trustRevoked
            }
        self.init(code, retryable: failure == .roomFull)
    }

    init(_ code: SealingError.Code, _ message: String = "") {
        let known: Code =
            switch code {
            case .noKeysYet: .noKeys
            case .unreadable, .invalidAnnouncement: .unreadable
            case .replayed: .replayed
            case .reused: .keyReused
            case .forged: .forged
            case .unknownKey: .unknownKey
            case .identityChanged: .identityChanged
            case .revoked: .trustRevoked
            case .tooLarge: .messageTooLarge
            case .storageFailed: .storageFailed
            }
        self.init(known, message, retryable: code == .storageFailed || code == .noKeysYet)
    }

    private init(_ error: ProfileArchiveError) {
        let code: Code =
            switch error.code {
            case .noProfile, .failed: .storageFailed
            case .inUse: .storageFailed
            case .notEmpty: .profileNotEmpty
            case .notAnArchive, .otherVersion, .damaged: .archiveUnreadable
            case .wrongPassphrase: .passphraseWrong
            case .diskFull: .diskFull
            }
        self.init(code, error.message)
    }

    private init(_ problem: FileCopy.Problem) {
        switch problem {
        case .source(let error): self.init(.fileUnreadable, error.reason)
        case .target(let error) where error.code == .full: self.init(.diskFull, error.reason)
        case .target(let error): self.init(.placeUnwritable, error.reason)
        case .cancelled: self.init(Code.cancelled)
        }
    }

    private init(_ error: VaultError) {
        switch error.code {
        case .wrongPassphrase(let wait): self.init(.passphraseWrong, retryable: true, retryAfter: wait)
        case .currentPassphraseNeeded: self.init(.passphraseWrong, error.message, retryable: true)
        case .tooEarly(let wait): self.init(.tooManyAttempts, error.message, retryable: true, retryAfter: wait)
        case .diskFull: self.init(.diskFull, error.message, retryable: true)
        case .tooManyKeys: self.init(.passphraseChangedOften, error.message)
        case .corrupt, .notAuthentic, .missing: self.init(.vaultDamaged, error.message)
        default: self.init(.storageFailed, error.message, retryable: true)
        }
    }
}
