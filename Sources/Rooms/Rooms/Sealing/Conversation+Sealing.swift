import DataChannels
import Sealing

/// Keys: introduced and announced over the channel of messages, made in the background, used once.
extension Conversation {
    /// Part of a second between two parts of a pool, so that making keys is in nobody's way.
    private static let rest = Duration.milliseconds(40)
    /// Bytes that may wait in the channel when a part of a pool goes there, so that what people say does not wait behind it.
    static let announcementWater = 32 << 10
    /// What may wait for the channel to take it.
    static let controlLimit = 64

    /// Says who this side is, on a connection whose verification is settled.
    /// - Returns: why the link must end; nil if it need not.
    func introduce(over binding: ChannelBinding) -> LinkFailure? {
        do throws(SealingError) {
            for message in try session.connected(to: binding) { send(control: message) }
            return nil
        } catch {
            return refuse(error)
        }
    }

    /// Takes what the other side's session says.
    /// - Returns: why the link must end; nil if it need not.
    func received(control bytes: [UInt8]) -> LinkFailure? {
        do throws(SealingError) {
            for output in try session.receive(control: bytes) {
                switch output {
                case .send(let message): send(control: message)
                case .peerKnown: break
                case .keysChanged:
                    awaitsKeys = false
                    pump()
                case .revoked:
                    report.yield(.trustRevoked(room: room))
                    return .trustRevoked
                case .refused(let sequence, let code): sealAgain(sequence, because: code)
                }
            }
        } catch {
            return refuse(error)
        }
        reportIdentity()
        refill()
        reportKeys()
        return nil
    }

    /// Once a connection, as soon as the other side has shown who it is.
    private func reportIdentity() {
        guard !hasReportedIdentity else { return }
        let state = session.state
        guard let fingerprint = state.peerFingerprint, let number = state.safetyNumber else { return }
        hasReportedIdentity = true
        report.yield(.identity(room: room, fingerprint: Self.hexadecimal(fingerprint), safetyNumber: number))
    }

    func reportKeys() {
        usesSinceReport = 0
        report.yield(.keys(room: room, session.state))
    }

    /// A key was used, here or there. Now and then that is worth a word, and a look whether there are enough.
    func keyWasUsed() {
        usesSinceReport += 1
        guard usesSinceReport >= 32 else { return }
        reportKeys()
        refill()
    }

    /// Makes keys for the other side as long as it should have more, a part at a time, beside everything else.
    func refill() {
        guard refilling == nil, !channels.isEmpty else { return }
        let (session, connection, before) = (session, connectionNumber, lastRefilling)
        refilling = Task.detached(priority: .utility) { [weak self] in
            await before?.value
            while await self?.hasRoom(on: connection) == true, let part = try? session.nextAnnouncement() {
                await self?.announce(part, on: connection)
                try? await Task.sleep(for: Self.rest)
            }
            await self?.refilled(connection)
        }
        lastRefilling = refilling
    }

    /// Waits until little is in the channel.
    /// - Returns: false if the connection has ended instead.
    private func hasRoom(on connection: Int) async -> Bool {
        while !Task.isCancelled, connection == connectionNumber, let channel = channels[.messages] {
            if channel.bufferedAmount < Self.announcementWater { return true }
            try? await Task.sleep(for: Self.rest)
        }
        return false
    }

    private func announce(_ part: [UInt8], on connection: Int) {
        // What is not sent now is announced again on the next connection.
        if connection == connectionNumber { send(control: part) }
    }

    /// No more keys are made for the connection that stands.
    func stopRefilling() {
        refilling?.cancel()
        refilling = nil
    }

    /// Sends what this side's session has to say, now or when the channel takes it again. It is said once a connection.
    func send(control message: [UInt8]) {
        if waitingControls.isEmpty, send(.sealing(message)) { return }
        if !channels.isEmpty, waitingControls.count < Self.controlLimit { waitingControls.append(message) }
    }

    /// The channel has room again.
    func sendControls() {
        let waiting = waitingControls
        waitingControls = []
        for message in waiting { send(control: message) }
    }

    private func refilled(_ connection: Int) {
        guard connection == connectionNumber else { return }
        refilling = nil
        reportKeys()
    }

    /// A new epoch of keys on both sides.
    func renewKeys() throws(SealingError) {
        for message in try session.renew() { send(control: message) }
        refill()
    }

    /// Ends the trust: durable before this returns.
    /// - Returns: the notice for the other side.
    func revoke() throws(SealingError) -> [UInt8] {
        stopRefilling()
        isRevoking = true
        do throws(SealingError) {
            return try session.revoke()
        } catch {
            isRevoking = error.code == .revoked
            throw error
        }
    }

    // What cannot be opened.

    /// Counts what was dropped, and reports it, in bounded time.
    /// - Returns: why the link must end; nil if it need not.
    @discardableResult
    func refuse(_ error: SealingError) -> LinkFailure? {
        if refusals.count(error.code) { reportRefusals() }
        switch error.code {
        case .identityChanged: return .identityChanged
        // Whoever ended it here closes the link, once the notice is on its way; what still comes must not be faster.
        case .revoked: return isRevoking ? nil : .trustRevoked
        default: return nil
        }
    }

    private func reportRefusals() {
        for (code, count) in refusals.take() { report.yield(.sealRefused(room: room, code, count: count)) }
        Task { [weak self] in
            try? await Task.sleep(for: Refusals.pause)
            await self?.refusalPauseEnded()
        }
    }

    private func refusalPauseEnded() {
        if refusals.pauseEnded() { reportRefusals() }
    }

    /// Somebody carried a message here whose key another one had used. If the other side is there, it learns how far its keys are
    /// used, so that what it seals from now on opens; the message itself it has to seal again.
    func refuse(byHand header: SealedHeader, _ error: SealingError) {
        if error.code == .reused { send(control: session.refusal(of: header, because: error)) }
    }

    // Keys that are not needed any more.

    /// Marks keys whose messages nobody stores, and destroys them. If the disk refuses, they stay until their epoch ends.
    func burn(_ uses: [KeyUse]) {
        guard !uses.isEmpty else { return }
        try? sealing.write(durably: false) { try SealingTables.mark(uses, in: $0) }
        try? session.erase(uses)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
