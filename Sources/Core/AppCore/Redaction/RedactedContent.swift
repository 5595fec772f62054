// The things that inputs and the state hold, without what people said or are called.

extension Record {
    /// A record that cannot be read says nothing any more.
    var redacted: Record {
        let json: [UInt8]? =
            switch key {
            case .settings: redact(Settings.self, \.redacted)
            case .counters, .erasing, .log: Array(self.json.utf8)
            case .room: redact(Room.self, \.redacted)
            case .message: redact(Message.self, \.redacted)
            case .tombstone: redact(Tombstone.self, \.redacted)
            case .draft: redact(NoteDraft.self, \.redacted)
            case .composer: redact(Composer.self, \.redacted)
            case .agent: redact(Agent.self, \.redacted)
            case .agentSession: redact(AgentSession.self, \.redacted)
            case .agentItem: redact(AgentItem.self, \.redacted)
            case .agentLog: redact(AgentLog.self, \.redacted)
            case .effect: redact(Effect.self) { Effect(id: $0.id, kind: .redacted($0.kind)) }
            }
        return Record(key: key, json: json.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    private func redact<Value: Codable>(_ type: Value.Type, _ change: (Value) -> Value) -> [UInt8]? {
        try? JSON.encode(change(JSON.decode(type, from: json.utf8)))
    }
}

extension Settings {
    var redacted: Settings {
        var settings = self
        settings.server = server.redactedURL
        settings.iceServers = iceServers.map(\.redacted)
        settings.addedIceServers = addedIceServers?.map { AddedIceServer(id: $0.id, server: $0.server.redacted) }
        settings.name = name?.redacted
        return settings
    }
}

extension ServerCheck {
    var redacted: ServerCheck {
        ServerCheck(server: server.redactedURL, effect: effect, at: at, failure: failure?.redacted)
    }
}

extension IceServerCheck {
    var redacted: IceServerCheck {
        IceServerCheck(server: server.redacted, effect: effect, at: at, failure: failure?.redacted)
    }
}

extension StorageUsage {
    var redacted: StorageUsage {
        StorageUsage(folder: folder.redacted, database: database, files: files, notes: notes)
    }
}

extension IceServer {
    var redacted: IceServer {
        IceServer(
            urls: urls.map(\.redactedIceAddress), username: username?.redacted,
            credential: credential)
    }
}

extension RoomAddress {
    var redacted: RoomAddress {
        var address = self
        address.server = server.redactedURL
        address.code = code?.redacted
        return address
    }
}

extension Room {
    var redacted: Room {
        var room = Room(
            id: id, name: name.redacted, role: role, status: status, server: server.redactedURL, device: device,
            code: code?.redacted, words: words, createdAt: createdAt, expiresIn: expiresIn)
        room.serverRoom = serverRoom
        room.expiresAt = expiresAt
        room.failure = failure?.redacted
        room.pin = pin
        room.wantsLink = wantsLink
        room.lifetime = lifetime
        room.isEphemeral = isEphemeral
        room.outgoingProposal = outgoingProposal
        room.incomingProposal = incomingProposal
        room.newestPeerProposal = newestPeerProposal
        room.trustGiven = trustGiven
        room.trustReceived = trustReceived
        room.trustDeclined = trustDeclined
        room.metAt = metAt
        room.lastSeen = lastSeen
        room.identity = identity?.redacted
        room.revokedBy = revokedBy
        room.sharedNotes = sharedNotes
        room.tickets = tickets
        room.forgotten = forgotten
        room.seenUpTo = seenUpTo
        room.keepsChanged = keepsChanged
        room.isMuted = isMuted
        room.sharesAgents = sharesAgents
        return room
    }

    /// With the shapes of its newest messages and what is going on in it.
    var redactedWhole: Room {
        var room = redacted
        room.messages = messages.redacted
        room.live = live
        room.live.safetyNumber = live.safetyNumber?.redacted
        room.live.linkFailure = live.linkFailure?.redacted
        room.live.shares = live.shares.redacted
        room.live.offered = live.offered?.map(\.redacted)
        room.restoreSeen()
        return room
    }
}

extension PeerIdentity {
    var redacted: PeerIdentity {
        PeerIdentity(fingerprint: fingerprint.redacted, safetyNumber: safetyNumber.redacted)
    }
}

extension Circle {
    var redacted: Circle {
        var circle = self
        circle.tombstones = tombstones.mapValues(\.redacted)
        return circle
    }
}

extension Tombstone {
    var redacted: Tombstone {
        Tombstone(
            id: id, name: name.redacted, fingerprint: fingerprint?.redacted, revokedAt: revokedAt, by: by,
            reason: reason?.redacted)
    }
}

extension MessageLog {
    /// Bytes that the shapes of a room's messages may take, so that a long history costs no more than a short one.
    static let redactedBytes = 16 << 10
    /// What a message takes besides its texts, in bytes.
    private static let redactedOverhead = 256

    /// The shapes of the newest messages, as many as ``redactedBytes`` allows. Nothing is left of those before.
    var redacted: MessageLog {
        var budget = Self.redactedBytes
        var shapes: [Message] = []
        for message in all.reversed() {
            let shape = message.redacted
            budget -= Self.redactedOverhead + shape.savedBytes
            guard budget >= 0 else { break }
            shapes.append(shape)
        }
        var log = MessageLog(shapes, nextOrder: nextOrder)
        // Counts say nothing of what was said. Where messages are left out, so are the gaps between them.
        if log.all.count == all.count { log.gaps = gaps }
        return log
    }
}

extension Message {
    var redacted: Message {
        var message = self
        message.body = body.redacted
        message.failure = failure?.redacted
        message.transfer?.path = transfer?.path?.redacted
        message.transfer?.failure = transfer?.failure?.redacted
        message.byHand?.handle = byHand?.handle?.redacted
        message.quote?.excerpt = quote?.excerpt.redacted ?? ""
        message.reactions = reactions?.map(\.redacted)
        message.versions = versions?.map { MessageVersion(text: $0.text.shape, until: $0.until) }
        return message
    }
}

extension Body {
    var redacted: Body {
        switch self {
        case .text(let text): .text(text.shape)
        case .reply(let message, let text): .reply(to: message, text: text.shape)
        case .edit(let message, let version, let text): .edit(of: message, version: version, text: text.shape)
        case .reaction(let message, let emoji): .reaction(to: message, emoji: emoji.map { _ in Reaction.redacted })
        case .file(let offer):
            .file(
                FileOffer(
                    name: offer.name.redacted, bytes: offer.bytes, media: offer.media.redacted,
                    handle: offer.handle?.redacted))
        case .location: .location(Location(latitude: 0, longitude: 0))
        case .noteShared(var line):
            {
                line.title = line.title.redacted
                return .noteShared(line)
            }()
        case .deletion, .changeAnswer, .deleted, .lifetimeProposal, .lifetimeAnswer, .lifetimeChanged, .trust,
            .becameMember, .peerLeft:
            self
        }
    }
}

extension NoteShares {
    var redacted: NoteShares {
        var shares = self
        for share in all {
            var share = share
            share.failure = share.failure?.redacted
            shares.put(share)
        }
        return shares
    }
}

extension Media {
    var redacted: Media {
        Media(
            kind: kind, duration: duration, waveform: waveform.map { $0.map { _ in 0 } }, width: width, height: height)
    }
}

extension Failure {
    var redacted: Failure { Failure(code, retryable: retryable, retryAfter: retryAfter) }
}

extension String {
    /// As long as it was, with the same spaces, and with nothing in it: letters become x, digits 0.
    var redacted: String { redacted(upTo: .max) }

    /// Like ``redacted``, without what lies behind the first 256 bytes: a text that somebody sent may be long, and there may be
    /// many. Of one that is too long to be sent as much is left that it still is.
    var shape: String { redacted(upTo: utf8.count > RoomLimits.textBytes ? RoomLimits.textBytes + 4 : 256) }

    private func redacted(upTo limit: Int) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Swift.min(limit, utf8.count))
        for scalar in unicodeScalars {
            guard bytes.count + scalar.utf8.count <= limit else { break }
            if scalar.properties.isWhitespace {
                bytes += scalar.utf8
            } else if ("0"..."9").contains(scalar) {
                bytes.append(UInt8(ascii: "0"))
            } else {
                bytes += repeatElement(UInt8(ascii: "x"), count: scalar.utf8.count)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Of the address of a STUN or TURN server the scheme stays.
    var redactedIceAddress: String {
        let scheme = ["stun:", "stuns:", "turn:", "turns:"].first { lowercased().hasPrefix($0) } ?? ""
        return scheme + String(dropFirst(scheme.count)).redacted
    }

    /// Text that is not a URL stays as it is.
    var redactedURL: String {
        let scheme = ["https://", "http://"].first { lowercased().hasPrefix($0) }
        return (scheme ?? "") + "redacted"
    }
}
