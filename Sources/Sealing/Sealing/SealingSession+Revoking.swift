internal import Storage
internal import Synchronization

extension SealingSession {
    /// Ends the trust in this pairing. When this returns, keys and identity are deleted and a tombstone remains.
    /// Messages that were not opened yet can no longer be opened.
    ///
    /// - Returns: the signed notice for the other side, as a control message. It may also be carried by hand;
    ///   ``SealingDirectory/tombstones()`` keeps it.
    public func revoke() throws(SealingError) -> [UInt8] {
        try ledger.withLock { ledger throws(SealingError) in
            if ledger.isRevoked { throw Self.revokedError }
            let own = ledger.identity
            let peer = ledger.peer?.identity
            return try storing {
                let statement = own.publicKey.bytes + (peer?.bytes ?? [])
                let revocation = ControlMessage.Revocation(
                    revoker: own.publicKey.bytes, revoked: peer?.bytes ?? [],
                    signature: try own.sign(statement, as: .revocation))
                let notice = ControlMessage.revocation(revocation).bytes
                try ledger.recordRevocation(notice, byPeer: false, pairing: pairing, store: store)
                return notice
            }
        }
    }

    /// Takes the other side's notice, however it arrived.
    func accept(_ revocation: ControlMessage.Revocation) throws(SealingError) -> [SealingOutput] {
        try ledger.withLock { ledger throws(SealingError) in
            if ledger.isRevoked { return [] }
            let own = ledger.identity.publicKey
            let peer = try ledger.knownPeer().identity
            guard revocation.revoker == peer.bytes, revocation.revoked == own.bytes,
                peer.hasSigned(peer.bytes + own.bytes, as: .revocation, revocation.signature)
            else { throw SealingError(.forged, "the notice is not from the other side of this pairing") }
            return try storing {
                try ledger.recordRevocation(
                    ControlMessage.revocation(revocation).bytes, byPeer: true, pairing: pairing, store: store)
                return [.revoked]
            }
        }
    }
}

extension SealingSession.Ledger {
    fileprivate mutating func recordRevocation(
        _ notice: [UInt8], byPeer: Bool, pairing: String, store: any SealingStore
    ) throws {
        let (own, peer) = (identity.publicKey.bytes, peer?.identity.bytes)
        try store.write(durably: true) { database in
            try database.execute(
                "INSERT OR REPLACE INTO sealing_tombstones VALUES (?, ?, ?, ?, ?)", pairing, own, peer, notice, byPeer)
            try SealingTables.delete(pairing: pairing, in: database)
        }
        isRevoked = true
        self.peer = nil
        pools = []
        erased = []
        connection = nil
        peerKeys = try PeerKeys(pairing: pairing, partition: peerKeys.partition, store: store)
        store.emptyLog()
        try store.removeNotedFiles()
    }
}
