import Sealing

/// Receiving: sealed messages, passed on once and in order, and signals.
extension Conversation {
    /// How often a message that cannot be opened is requested on one connection.
    private static let patience = 3

    /// Takes bytes from the channel of messages. Any bytes are safe.
    /// - Returns: why the link must end; nil if it need not.
    @discardableResult
    func received(_ bytes: [UInt8]) -> LinkFailure? {
        switch Arrival(bytes) {
        case .sealed(let header):
            received(bytes, header)
            return nil
        case .signal(.sealing(let control)): return received(control: control)
        case .signal(let signal):
            received(signal)
            return nil
        case .plain, .unreadable:
            failures += 1
            return refuse(SealingError(.unreadable, "something came that is not a sealed message"))
        }
    }

    private func received(_ bytes: [UInt8], _ header: SealedHeader) {
        switch inbox.verdict(on: header.sequence) {
        case .next: open(bytes, header)
        case .duplicate:
            // A sender that lost its state sealed the message twice. This copy must not be opened later either. But
            // until the message is stored, a restarted process needs a key that opens it.
            if let (_, use) = try? session.open(message: bytes) {
                if use.sequence <= inbox.stored { burn([use]) } else { keys.note(use) }
            }
            send(.receipt(received: inbox.stored))
        case .gap:
            hasGap = true
            askForGap()
        }
    }

    private func open(_ bytes: [UInt8], _ header: SealedHeader) {
        do throws(SealingError) {
            let (message, use) = try session.open(message: bytes)
            failures = 0
            inbox.take(header.sequence)
            keys.note(use)
            keyWasUsed()
            handOn(message, use)
        } catch {
            failures += 1
            refuse(error)
            if Self.isSealedAgain(error.code), failures <= Self.patience {
                send(control: session.refusal(of: header, because: error))
            }
        }
    }

    /// Its key is lost, damaged or used by another message, or it was opened by a process that died before it could
    /// confirm that. Only the other side can send on this channel, so a message that looks forged was not altered on
    /// its way.
    private static func isSealedAgain(_ code: SealingError.Code) -> Bool {
        code == .unknownKey || code == .replayed || code == .reused || code == .forged
    }

    /// Refused messages are requested once all accepted ones are stored: then there is room, and nothing comes twice.
    func askForGap() {
        guard hasGap, !awaitsHello, failures <= Self.patience, inbox.stored == inbox.taken else { return }
        greet()
    }

    private func handOn(_ message: Envelope.Numbered, _ use: KeyUse) {
        switch message.content {
        case .withdrawn, .unknown: try? pass(over: message.sequence)
        case .file(let offer):
            keep(offer, of: message.id)
            fallthrough
        default: report.yield(.received(room: room, ReceivedMessage(message, openedWith: use)))
        }
    }

    private func received(_ signal: Envelope.Signal) {
        switch signal {
        case .hello(let received, let first, let notes, let agents):
            greeted(received: received, first: first)
            greetedForNotes(notes)
            self.agents.greeted(knowsAgents: agents)
        case .receipt(let received): delivered(upTo: received)
        case .read(let messages): report.yield(.read(room: room, messages: messages))
        case .typing(let on): report.yield(.typing(room: room, on))
        case .goodbye(let forever):
            hasPeerLeft = true
            report.yield(.peerLeft(room: room, forever: forever))
        case .fileAnswer(let id, let offset?): wanted(id, from: offset)
        case .fileChunk(let id, let offset, let bytes): received(id, offset, bytes)
        // If the disk fails now, this is repeated on the next connection.
        case .fileAnswer(let id, nil): try? ended(id, .declined)
        case .fileChecked(let id, let intact): try? ended(id, intact ? .arrived(path: nil) : .damaged)
        case .fileCancelled(let id): try? ended(id, .cancelled)
        case .fileSettled(let id): try? settled(id)
        case .filePaused(let id): (outgoing[id], wantedLater[id]) = (nil, nil)
        case .sealing, .unknown: break
        }
    }

    /// The owner has stored everything up to a number, and marked the keys. Only now may the other side forget these
    /// messages.
    func acknowledge(upTo sequence: UInt64) throws {
        let (marked, copies) = keys.take(upTo: sequence)
        try? session.erase(marked)
        burn(copies)
        guard !inbox.store(upTo: sequence) else { return try confirmStored() }
        send(.receipt(received: inbox.stored))
        askForGap()
    }

    private func confirmStored() throws {
        try store.received(upTo: inbox.stored, room: room)
        send(.receipt(received: inbox.stored))
        askForGap()
    }

    /// A message without a meaning for the owner. It counts as stored, but earlier ones do not.
    func pass(over sequence: UInt64) throws {
        burn(keys.take(sequence))
        let before = inbox.stored
        inbox.leaveBlank(sequence)
        if inbox.stored > before { try confirmStored() }
    }
}
