package import Cryptography

/// Verifies that the other end of a data channel is the person who was given the join code.
///
/// The two sides run SPAKE2 (RFC 9382) on the words of the code, through a server that learns nothing from it, and then
/// prove to each other that they have the same key, the same room, opposite roles, and see the same two DTLS
/// certificates. A server that intercepts the connection has one guess; a wrong guess ends the code.
///
/// This is a state machine without input, output or clock. Feed it with `start`, `receive` and `fingerprints` in any
/// order, and do what the outputs say. Use one for each connection; after a timeout make another.
package struct RoomVerification: Sendable {
    /// How often a joiner may try one code without learning whether the words were right. Each such attempt gives an
    /// attacker in the middle one guess among 65 536 pairs of words.
    package static let attemptLimit = 3
    /// How often the other side may start over on one connection.
    private static let restartLimit = 16

    private let role: Role
    private let roomID: String
    private let words: JoinKey?
    private let resumption: SecretBytes?
    private let localHello: VerificationMessage.Hello
    private var attemptsSpent: Int

    private var peerHello: VerificationMessage.Hello?
    private var run: VerificationRun?
    private var fingerprints: CertificatePair?
    /// Share and confirmation that came before the other side's hello.
    private var early: [VerificationMessage] = []
    private var restarts = 0
    /// Set when the verification has ended.
    package private(set) var outcome: Outcome?

    /// - Parameters:
    ///   - words: from the join code; nil if this side has only the digits.
    ///   - resumption: the secret of an earlier verification of this room, from the vault.
    ///   - attemptsSpent: the durable count of ``Output/attemptSpent`` for this join code.
    package init(
        role: Role, roomID: String, words: JoinKey?, resumption: SecretBytes? = nil, attemptsSpent: Int = 0
    ) {
        self.role = role
        self.roomID = roomID
        self.words = words
        self.resumption = resumption
        self.attemptsSpent = attemptsSpent
        localHello = VerificationMessage.Hello(
            nonce: SecureRandom.bytes(VerificationMessage.Hello.nonceByteCount),
            hasWords: words != nil,
            resumptionID: resumption.map(Self.resumptionID))
    }

    /// Starts. Call it when both sides are in the room.
    package mutating func start() -> [Output] {
        outcome == nil ? [.send(VerificationMessage.hello(localHello).bytes)] : []
    }

    /// Takes what the other side sent. Any bytes are safe; those that make no sense are ignored.
    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        guard outcome == nil else { return [] }
        guard let message = try? VerificationMessage(bytes) else { return [] }
        if case .hello(let hello) = message { return greet(hello) }
        guard peerHello != nil else {
            // An honest peer sends at most a share and a confirmation before its hello arrives.
            if early.count < 4 { early.append(message) }
            return []
        }
        return take(message) + advance()
    }

    /// Sets the certificates of the connection, as SHA-256 digests of 32 bytes, from both session descriptions.
    package mutating func fingerprints(local: [UInt8], remote: [UInt8]) -> [Output] {
        guard outcome == nil else { return [] }
        guard local.count == 32, remote.count == 32, local != remote else { return finish(.failed(.protocolViolation)) }
        let pair = CertificatePair(local: local, remote: remote)
        guard pair != fingerprints else { return [] }
        if run?.hasConfirmed == true { return finish(.failed(.certificateChanged)) }
        fingerprints = pair
        return advance()
    }

    private mutating func finish(_ outcome: Outcome) -> [Output] {
        self.outcome = outcome
        run = nil
        return [.finished(outcome)]
    }
}

extension RoomVerification {
    /// The other side starts, or starts again.
    private mutating func greet(_ hello: VerificationMessage.Hello) -> [Output] {
        guard hello != peerHello else { return [] }
        // Our own hello came back.
        guard hello.nonce != localHello.nonce else { return finish(.failed(.protocolViolation)) }
        restarts += 1
        guard restarts <= Self.restartLimit else { return finish(.failed(.tooManyStarts)) }
        peerHello = hello
        run = nil
        // It may have come after the hello that `start` sent; a second copy does no harm.
        var outputs = [Output.send(VerificationMessage.hello(localHello).bytes)]
        outputs += beginRun(with: hello)
        for message in early { outputs += take(message) }
        early = []
        return outputs + advance()
    }

    private mutating func beginRun(with peer: VerificationMessage.Hello) -> [Output] {
        let hellos = role == .creator ? (localHello, peer) : (peer, localHello)
        switch credential(with: peer) {
        case .failure(let verdict): return finish(verdict.outcome)
        case .success(let credential):
            do {
                let run = try VerificationRun(role: role, roomID: roomID, hellos: hellos, credential: credential)
                self.run = run
                return [.send(run.shareMessage)]
            } catch {
                return finish(.failed(.protocolViolation))
            }
        }
    }

    /// The secret with which both sides can authenticate; if there is none, the outcome.
    private func credential(
        with peer: VerificationMessage.Hello
    ) -> Result<VerificationRun.Credential, Verdict> {
        if let resumption, localHello.resumptionID == peer.resumptionID { return .success(.resumption(resumption)) }
        if let words, peer.hasWords {
            let isExhausted = role == .joiner && attemptsSpent >= Self.attemptLimit
            return isExhausted ? .failure(Verdict(.failed(.codeSpent))) : .success(.words(words))
        }
        // A room that was verified once never becomes unverified again.
        if resumption != nil { return .failure(Verdict(.failed(.peerChanged))) }
        return .failure(Verdict(.unverified(words == nil ? .noWordsHere : .peerHasNoWords)))
    }

    private mutating func take(_ message: VerificationMessage) -> [Output] {
        guard run?.accept(message) == .aborted, let refusal = run?.refusal else { return [] }
        return finish(.failed(refusal))
    }

    /// Continues as far as possible. The joiner confirms first, so that an impostor of the joiner has to make a guess
    /// before learning anything.
    private mutating func advance() -> [Output] {
        guard outcome == nil, var run, let fingerprints else { return [] }
        var outputs: [Output] = []
        do {
            guard let confirmation = try run.confirmation(of: fingerprints, role: role) else { return [] }
            if role == .joiner, !run.hasConfirmed {
                if case .words = run.credential {
                    attemptsSpent += 1
                    outputs.append(.attemptSpent)
                }
                outputs.append(.send(run.confirm(with: confirmation)))
            }
            self.run = run
            guard let code = run.peerConfirmation else { return outputs }
            guard confirmation.isConfirmed(by: code) else {
                return outputs + [.send(run.abortMessage)] + finish(.failed(run.refusal))
            }
            if role == .creator { outputs.append(.send(run.confirm(with: confirmation))) }
            return outputs + finish(.verified(resumption: try run.resumption(roomID: roomID)))
        } catch {
            return outputs + [.send(run.abortMessage)] + finish(.failed(.protocolViolation))
        }
    }

    /// Identifies a resumption secret without revealing it.
    private static func resumptionID(_ secret: SecretBytes) -> [UInt8] {
        let code = HMAC.code("alcove resumption id 1".utf8, key: secret)
        return Array(code.prefix(VerificationMessage.Hello.resumptionIDByteCount))
    }

    /// An outcome, as the failure of a `Result`.
    private struct Verdict: Error {
        let outcome: Outcome

        init(_ outcome: Outcome) {
            self.outcome = outcome
        }
    }
}

/// The digests of the two DTLS certificates of one connection.
struct CertificatePair: Hashable, Sendable {
    let local: [UInt8]
    let remote: [UInt8]
}
