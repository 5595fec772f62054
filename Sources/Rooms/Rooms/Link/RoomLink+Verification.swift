import Cryptography
import DataChannels

/// Checks who is at the other side: with the room's verification, which runs on every peer connection, and with the
/// pinned key.
///
/// Functions that suspend and have several callers are not inlined: the optimiser would copy each with everything that
/// it calls into all callers. It made 8 MB of code of this file.
extension RoomLink {
    /// Starts as soon as the words are ready.
    func startVerification() async {
        verification = nil
        earlyVerification = []
        isVerificationWanted = true
        if let words { await startVerification(words) }
    }

    func prepared(_ ready: JoinWords?) async {
        guard let ready else { return await feed(.refuse(.wordsDoNotMatch)) }
        words = ready
        if isVerificationWanted { await startVerification(ready) }
    }

    private func startVerification(_ key: JoinWords) async {
        isVerificationWanted = false
        let made = RoomVerification(
            role: setting.address.role == .initiator ? .creator : .joiner, roomID: serverRoom, words: key.words,
            resumption: keys.resumption.map { SecretBytes(copying: $0) }, attemptsSpent: keys.attemptsSpent)
        verification = made
        await verify { $0.start() }
        for message in earlyVerification { await verify { $0.receive(message) } }
        earlyVerification = []
        await describedBoth()
    }

    func verify(_ message: [UInt8]) async {
        if verification != nil {
            await verify { $0.receive(message) }
        } else if isVerificationWanted, earlyVerification.count < Self.earlyLimit {
            earlyVerification.append(message)
        }
        await hearVerdict(message)
    }

    /// If the words do not match, the other side closes its peer connection and sends its verdict through the server,
    /// which may be slower. Only that verdict still counts.
    @inline(never)
    private func hearVerdict(_ message: [UInt8]) async {
        let outputs = lastVerification?.receive(message) ?? []
        for case .finished(.failed(.wrongWords)) in outputs { await spend(.wordsDoNotMatch) }
    }

    /// Both descriptions are known, hence both certificates.
    @inline(never)
    func describedBoth() async {
        guard let remote = peer?.remoteFingerprint else { return }
        guard remote.algorithm == .sha256 else { return await feed(.peerFailed) }
        if let pinned = keys.pinned, pinned != remote { return await refuse(.peerKeyChanged) }
        await verify { $0.fingerprints(local: certificate.fingerprint.bytes, remote: remote.bytes) }
        if case .unverified? = verification?.outcome { await settle(unverified: remote) }
    }

    @inline(never)
    private func verify(_ step: (inout RoomVerification) -> [RoomVerification.Output]) async {
        guard var running = verification else { return }
        let outputs = step(&running)
        verification = running
        for output in outputs {
            switch output {
            case .send(let bytes): send(.verify(data: RelayFrame.verification(bytes).text))
            case .attemptSpent:
                keys.attemptsSpent += 1
                // An attempt that is not recorded on disk would not count after a restart, so it is not made.
                guard await save() else { return }
            case .finished(let outcome): await finished(outcome)
            }
        }
    }

    @inline(never)
    private func finished(_ outcome: RoomVerification.Outcome) async {
        switch outcome {
        case .verified(let resumption):
            guard let remote = peer?.remoteFingerprint else { return }
            let secret = resumption.withUnsafeBytes { Array($0) }
            if keys.resumption == secret { keys.peerRemembers = true }
            keys.resumption = secret
            await settle(.verified, with: remote)
        case .unverified:
            // This may be known before the certificates; then `describedBoth` settles it.
            if let remote = peer?.remoteFingerprint { await settle(unverified: remote) }
        // Somebody, perhaps not the other side, guessed at the words. A second guess is not allowed.
        case .failed(.wrongWords): await spend(.wordsDoNotMatch)
        case .failed(let failure) where failure.isFinal:
            await refuse(failure == .peerChanged ? .peerKeyChanged : .wordsDoNotMatch)
        case .failed: await feed(.peerFailed)
        }
    }

    /// The people may have compared the safety number of this very key before.
    private func settle(unverified remote: Fingerprint) async {
        await settle(keys.trust == .verified && keys.pinned == remote ? .verified : .unverified, with: remote)
    }

    @inline(never)
    private func settle(_ trust: RoomTrust, with remote: Fingerprint) async {
        keys.pinned = remote
        keys.trust = trust
        guard await save() else { return }
        reportTrust()
        if keys.peerRemembers == true { report(.remembered(room: setting.address.room, number: setting.number)) }
        await feed(.verificationSettled)
    }

    /// The other end is not believed, and the link ends. The server relays these messages and could forge them, so a
    /// side that was verified before may come back and prove itself.
    @inline(never)
    private func refuse(_ failure: LinkFailure) async {
        guard keys.trust == .verified else { return await spend(failure) }
        await feed(.refuse(failure))
    }

    /// The room ends for good.
    @inline(never)
    private func spend(_ failure: LinkFailure) async {
        keys.trust = .refused
        _ = await save()
        reportTrust()
        await feed(.refuse(failure))
    }

    private func reportTrust() {
        let number = keys.pinned.map {
            SafetyNumber(local: certificate.fingerprint.bytes, remote: $0.bytes, roomID: serverRoom).description
        }
        report(
            .trust(room: setting.address.room, number: setting.number, keys.trust, safetyNumber: number))
    }

    /// The people compared the safety number over another channel.
    func compared(matches: Bool) async {
        guard keys.trust == .unverified || keys.trust == .verified else { return }
        guard matches else { return await spend(.peerKeyChanged) }
        keys.trust = .verified
        if await save() { reportTrust() }
    }

    /// - Returns: whether the keys are on disk. If not, the peer connection is dropped and tried again later.
    @inline(never)
    private func save() async -> Bool {
        do {
            try setting.keyStore.save(keys, room: setting.address.room)
            savedKeys = keys
            return true
        } catch {
            // A secret that would not survive a restart must not be shown to the other side as remembered.
            keys = savedKeys
            await feed(.peerFailed)
            return false
        }
    }
}
