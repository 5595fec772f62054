internal import Cryptography

/// One exchange of shares and confirmations between two hellos. ``RoomVerification`` decides what happens next.
struct VerificationRun: Sendable {
    enum Credential: Sendable {
        case words(JoinKey)
        /// The secret of an earlier verification. It cannot be guessed, so attempts are not limited.
        case resumption(SecretBytes)
    }

    enum Acceptance {
        case taken
        case ignored
        case aborted
    }

    let credential: Credential
    private let tag: VerificationMessage.RunTag
    private let exchange: SPAKE2Exchange
    /// Both hellos, the creator's first. They are bound into the confirmation, so that changes to them are noticed.
    private let greeting: [UInt8]
    private var peerShare: [UInt8]?
    private var agreement: SPAKE2Agreement?
    private(set) var peerConfirmation: [UInt8]?
    private(set) var hasConfirmed = false

    init(
        role: RoomVerification.Role, roomID: String,
        hellos: (creator: VerificationMessage.Hello, joiner: VerificationMessage.Hello), credential: Credential
    ) throws(CryptographyError) {
        self.credential = credential
        greeting = VerificationMessage.hello(hellos.creator).bytes + VerificationMessage.hello(hellos.joiner).bytes
        let digest = HashFunction.sha256.digest(Array("alcove run 1".utf8) + greeting)
        tag = VerificationMessage.RunTag(bytes: Array(digest.prefix(VerificationMessage.RunTag.byteCount)))
        let password: P256.Scalar
        switch credential {
        case .words(let key): password = key.scalar
        case .resumption(let secret):
            let info = Array("alcove resumption password 1".utf8)
            password = try P256.Scalar(reducing: HKDF.derive(secret, info: info, count: 40))
        }
        exchange = try SPAKE2Exchange(
            side: role == .creator ? .a : .b, password: password,
            identities: SPAKE2Exchange.Identities(
                a: Array("alcove room 1 creator \(roomID)".utf8), b: Array("alcove room 1 joiner \(roomID)".utf8)))
    }

    var shareMessage: [UInt8] { VerificationMessage.share(run: tag, share: exchange.share).bytes }
    var abortMessage: [UInt8] { VerificationMessage.abort(run: tag).bytes }

    /// The failure if a confirmation does not match.
    var refusal: RoomVerification.Failure {
        switch credential {
        case .words: .wrongWords
        case .resumption: .peerChanged
        }
    }

    /// Keeps the first share and the first confirmation of this run; late ones of other runs and copies are ignored.
    mutating func accept(_ message: VerificationMessage) -> Acceptance {
        switch message {
        case .share(tag, let share) where peerShare == nil: peerShare = share
        case .confirm(tag, let code) where peerConfirmation == nil: peerConfirmation = code
        case .abort(tag): return .aborted
        default: return .ignored
        }
        return .taken
    }

    /// Both codes, once the other side's share has arrived. Throws if that share is no point on the curve.
    mutating func confirmation(
        of certificates: CertificatePair, role: RoomVerification.Role
    ) throws(CryptographyError) -> SPAKE2Agreement.Confirmation? {
        if agreement == nil, let peerShare { agreement = try exchange.agree(with: peerShare) }
        return try agreement?.confirmation(binding: context(certificates, role: role))
    }

    /// The message that proves our side. It is made once.
    mutating func confirm(with confirmation: SPAKE2Agreement.Confirmation) -> [UInt8] {
        hasConfirmed = true
        return VerificationMessage.confirm(run: tag, code: confirmation.local).bytes
    }

    /// The secret for the next verification of this room.
    func resumption(roomID: String) throws(CryptographyError) -> SecretBytes {
        switch credential {
        case .resumption(let secret): return secret
        case .words:
            guard let key = agreement?.sessionKey else {
                throw CryptographyError(.outOfOrder, "the shares have not been exchanged yet")
            }
            return try HKDF.derive(key, salt: Array(roomID.utf8), info: Array("alcove resumption 1".utf8), count: 32)
        }
    }

    /// Everything that must be equal on both sides. Each part has a fixed length, or one given by its flags.
    private func context(_ certificates: CertificatePair, role: RoomVerification.Role) -> [UInt8] {
        let (creator, joiner) =
            role == .creator
            ? (certificates.local, certificates.remote) : (certificates.remote, certificates.local)
        return greeting + creator + joiner
    }
}
