import DataChannels
import Sealing

/// Keys: introduced and announced over the channel of messages, made in the background, used once.
extension Conversation {
    /// The pause between two parts of a pool, so that making keys does not delay other work.
    private static let rest = Duration.milliseconds(40)
    /// The most bytes in the channel when a part of a pool is sent, so that messages do not wait for it.
    static let announcementWater = 32 << 10
    /// The most control messages that may wait for the channel.
    static let controlLimit = 64

    /// Introduces this side, on a connection whose verification is settled.
    /// - Returns: why the link must end; nil if it need not.
    func introduce(over binding: ChannelBinding) -> LinkFailure? {
        do throws(SealingError) {
            for message in try session.connected(to: binding) { send(control: message) }
            return nil
        } catch {
            return refuse(error)
        }
    }

    /// Takes a control message of the other side's session.
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

    /// Once for each connection, as soon as the other side has introduced itself.
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

    /// A key was used, on either side. Now and then this reports the number of keys, and checks whether there are
    /// enough.
    func keyWasUsed() {
        usesSinceReport += 1
        guard usesSinceReport >= 32 else { return }
        reportKeys()
        refill()
    }

    /// Makes keys for the other side as long as it should have more, a part at a time, in the background.
    func refill() {
        guard refilling == nil else { return refillsAgain = true }
        guard !channels.isEmpty else { return }
        refillsAgain = false
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

    /// Waits until few bytes are left in the channel.
    /// - Returns: false if the connection has ended instead.
    private func hasRoom(on connection: Int) async -> Bool {
        while !Task.isCancelled, connection == connectionNumber, let channel = channels[.messages] {
            if channel.bufferedAmount < Self.announcementWater { return true }
            try? await Task.sleep(for: Self.rest)
        }
        return false
    }

    private func announce(_ part: [UInt8], on connection: Int) {
        // Keys that are not sent now are announced again on the next connection.
        if connection == connectionNumber { send(control: part) }
    }

    /// Stops making keys for the current connection.
    func stopRefilling() {
        refilling?.cancel()
        refilling = nil
    }

    /// Sends control messages of this side's session, now or when the channel takes them again. They are sent once for
    /// each connection.
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
        // It may have found enough keys just before more were wanted.
        if refillsAgain { refill() }
    }

    /// A new epoch of keys on both sides.
    func renewKeys() throws(SealingError) {
        for message in try session.renew() { send(control: message) }
        refill()
    }

    /// Revokes trust; this is durable when it returns.
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
        // The code that revoked trust here closes the link, once the notice is on its way. Messages that still arrive
        // must not close it earlier.
        case .revoked: return isRevoking ? nil : .trustRevoked
        default: return nil
        }
    }

    private func reportRefusals() {
        for (code, count) in refusals.take() { report.yield(.sealRefused(room: room, code, count: count)) }
        Task { [weak self] in
            try? await Task.sleep(for: RefusalReports.pause)
            await self?.refusalPauseEnded()
        }
    }

    private func refusalPauseEnded() {
        if refusals.pauseEnded() { reportRefusals() }
    }

    /// The key of a hand-carried message was used before by another message. If the other side is connected, it is told
    /// which keys are used, so that its next messages open. It has to seal this message again.
    func refuse(byHand header: SealedHeader, _ error: SealingError) {
        if error.code == .reused { send(control: session.refusal(of: header, because: error)) }
    }

    // Destroys keys that are no longer needed.

    /// Marks the keys of messages that are not stored, and destroys them. If the disk fails, they stay until their
    /// epoch ends.
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
