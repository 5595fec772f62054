// Files: offered as a message, accepted or not, on their way, there.

extension AppState {
    mutating func sendFile(_ room: RoomID, _ offer: FileOffer, _ context: inout DispatchContext) {
        var offer = offer
        offer.name = offer.name.fileName
        guard offer.bytes <= RoomLimits.fileBytes else {
            return notify(.problem, Words(Failure(.fileTooLarge)), room: room, context)
        }
        guard offer.isValid else {
            return notify(.problem, Words(Failure(.fileUnreadable)), room: room, context)
        }
        send(room, .file(offer), &context)
    }

    mutating func acceptFile(_ room: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard canKeepMore(in: room, context) else { return }
        let states: Set<Transfer.State> = [.offered, .failed, .cancelled, .declined]
        changeTransfer(room, message, from: states, of: .received, &context) {
            $0.state = .running
            $0.failure = nil
        } then: {
            .acceptFile(room: room, message: message)
        }
    }

    mutating func declineFile(_ room: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        changeTransfer(room, message, from: [.offered], of: .received, &context) {
            $0.state = .declined
        } then: {
            .declineFile(room: room, message: message)
        }
    }

    mutating func cancelFile(_ room: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let direction = rooms[room]?.messages[message]?.direction else { return }
        let states: Set<Transfer.State> = direction == .sent ? [.offered, .running, .paused] : [.running, .paused]
        changeTransfer(room, message, from: states, of: direction, &context) {
            $0.state = .cancelled
        } then: {
            .cancelFile(room: room, message: message)
        }
    }

    mutating func pauseFile(_ room: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let direction = rooms[room]?.messages[message]?.direction else { return }
        changeTransfer(room, message, from: [.running], of: direction, &context) {
            $0.state = .paused
        } then: {
            .pauseFile(room: room, message: message)
        }
    }

    mutating func resumeFile(_ room: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let direction = rooms[room]?.messages[message]?.direction else { return }
        changeTransfer(room, message, from: [.paused], of: direction, &context) {
            $0.state = .running
        } then: {
            .resumeFile(room: room, message: message)
        }
    }

    mutating func openFile(_ room: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let place = rooms[room]?.messages[message]?.place else { return }
        issue(.openFile(path: place), &context)
    }

    mutating func saveFile(_ room: RoomID, _ message: MessageID, to path: String, _ context: inout DispatchContext) {
        guard let message = rooms[room]?.messages[message], message.direction == .received, let place = message.place
        else { return }
        guard path.hasPrefix("/"), path.utf8.count <= RoomLimits.pathBytes, !path.utf8.contains(0) else {
            return notify(.problem, Words(Failure(.placeUnwritable)), room: room, context)
        }
        issue(.saveFile(room: room, file: place, to: path), &context)
    }

    mutating func fileSaved(_ effect: EffectID, path: String, _ context: inout DispatchContext) {
        guard case .saveFile(let room, _, _) = settle(effect, &context) else { return }
        let path = path.limited(to: RoomLimits.pathBytes)
        notify(.information, .key("notice.file_saved", ["path": .said(path)]), room: room, context)
    }

    private mutating func changeTransfer(
        _ room: RoomID, _ message: MessageID, from states: Set<Transfer.State>, of direction: Message.Direction,
        _ context: inout DispatchContext, _ change: (inout Transfer) -> Void, then effect: () -> Effect.Kind
    ) {
        guard let index = rooms.index(of: room), !rooms[index].status.isOver, let old = rooms[index].messages[message],
            old.direction == direction, var transfer = old.transfer, states.contains(transfer.state)
        else { return }
        change(&transfer)
        rooms[index].messages.update(message) { $0.transfer = transfer }
        context.changed(.message(room, message))
        issue(effect(), &context)
    }

    // MARK: - What the host reports

    /// Says how far it is; not worth a word on the disk.
    mutating func fileRead(_ room: RoomID, _ message: MessageID, bytes: Int64) {
        guard let index = rooms.index(of: room), let old = rooms[index].messages[message], old.isBeingRead,
            case .file(let offer) = old.body
        else { return }
        rooms[index].messages.update(message) { $0.transfer?.read = min(max(bytes, 0), offer.bytes) }
    }

    mutating func fileProgress(_ room: RoomID, _ message: MessageID, bytes: Int64, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: room), let old = rooms[index].messages[message],
            case .file(let offer) = old.body, var transfer = old.transfer
        else { return }
        // The sender learns from the first progress that the peer accepted.
        if transfer.state == .offered, old.direction == .sent { transfer.state = .running }
        // Some bytes are still on their way when it is paused.
        guard transfer.state == .running || transfer.state == .paused else { return }
        transfer.done = min(max(transfer.done, bytes), offer.bytes)
        guard transfer != old.transfer else { return }
        rooms[index].messages.update(message) { $0.transfer = transfer }
        context.changed(.message(room, message))
    }

    mutating func fileFinished(_ room: RoomID, _ message: MessageID, path: String?, _ context: inout DispatchContext) {
        endTransfer(room, message, &context) { offer, transfer in
            transfer.state = .finished
            transfer.done = offer.bytes
            transfer.path = path?.limited(to: RoomLimits.pathBytes)
        }
    }

    mutating func fileFailed(_ room: RoomID, _ message: MessageID, _ failure: Failure, _ context: inout DispatchContext)
    {
        endTransfer(room, message, &context) { _, transfer in
            switch failure.code {
            case .fileDeclined: transfer.state = .declined
            case .fileCancelled, .cancelled: transfer.state = .cancelled
            default:
                transfer.state = .failed
                transfer.failure = failure
            }
        }
    }

    private mutating func endTransfer(
        _ room: RoomID, _ message: MessageID, _ context: inout DispatchContext,
        _ change: (FileOffer, inout Transfer) -> Void
    ) {
        guard let index = rooms.index(of: room), let old = rooms[index].messages[message],
            case .file(let offer) = old.body, var transfer = old.transfer, old.awaitsBytes
        else { return }
        change(offer, &transfer)
        rooms[index].messages.update(message) {
            $0.transfer = transfer
            if old.direction == .received { return }
            // A file that has arrived was offered, whatever became of the acknowledgement.
            if transfer.state == .finished, $0.status == .pending { $0.status = .delivered }
        }
        context.changed(.message(room, message))
    }

    /// A message goes whose file has not ended: the peer need not wait for it.
    mutating func callOffFile(of message: Message, in room: RoomID, _ context: inout DispatchContext) {
        // One that was not delivered is withdrawn as a whole.
        guard message.awaitsBytes, message.status != .pending else { return }
        let isUnwanted = message.direction == .received && message.transfer?.state == .offered
        issue(
            isUnwanted
                ? .declineFile(room: room, message: message.id) : .cancelFile(room: room, message: message.id), &context
        )
    }
}

extension Message {
    /// Whether its file may still be read here, before anybody is told of it.
    var isBeingRead: Bool { direction == .sent && status == .pending && transfer?.state == .offered }

    /// Whether the bytes of its file may still move.
    var awaitsBytes: Bool { transfer.map { [.offered, .running, .paused].contains($0.state) } ?? false }
}

extension Message {
    /// Where the whole file is on this machine; `nil` if it is not here, or not a file.
    package var place: String? {
        guard case .file(let offer) = body else { return nil }
        return direction == .sent ? offer.handle : transfer?.state == .finished ? transfer?.path : nil
    }
}

extension FileOffer {
    var isValid: Bool {
        !name.isEmpty && (0...RoomLimits.fileBytes).contains(bytes) && media.isValid
            && (handle?.utf8.count ?? 0) <= RoomLimits.pathBytes
    }
}
