// RE-CONFIG (RFC 6525).
extension Association {
    /// Asks for the reset of streams that have nothing more to send. One request at a time.
    mutating func requestResets() {
        guard phase == .established, resets.request == nil, !resets.wanted.isEmpty else { return }
        var ready: [UInt16] = []
        var waiting: [UInt16] = []
        for stream in resets.wanted {
            if ready.count < StreamResets.mostStreams, outgoing.isReady(toReset: stream) {
                ready.append(stream)
            } else {
                waiting.append(stream)
            }
        }
        guard !ready.isEmpty else { return }
        resets.wanted = waiting
        sendResetRequest(ready, lastTSN: sending.chunks.end &- 1)
    }

    private mutating func sendResetRequest(_ streams: [UInt16], lastTSN: UInt32) {
        let chunk = resets.outgoingRequest(streams, lastTSN: lastTSN)
        resets.request = StreamResets.Request(
            number: resets.nextNumber, streams: streams, lastTSN: lastTSN, chunk: chunk,
            deadline: now + roundTrip.timeout)
        resets.nextNumber &+= 1
        output.add(control: chunk)
    }

    mutating func repeatResetRequest() {
        guard var request = resets.request, request.deadline <= now else { return }
        guard noteError() else { return }
        if request.isInProgress { return sendResetRequest(request.streams, lastTSN: request.lastTSN) }
        request.deadline = now + roundTrip.timeout
        resets.request = request
        output.add(control: request.chunk)
    }

    mutating func receivedReconfiguration(_ chunk: Element, _ packet: RawSpan) {
        guard phase == .established || phase == .shutdownPending, abilities.contains(.reconfiguration) else { return }
        var walk = ElementWalk(parametersIn: chunk.body)
        // At most two parameters in one chunk (section 3.1).
        for _ in 0..<2 {
            guard let parameter = walk.next(in: packet) else { return }
            let start = parameter.body.lowerBound
            switch parameter.type {
            case ParameterType.outgoingReset where parameter.body.count >= 12:
                let streams = packet.streams(in: start + 12..<parameter.body.upperBound)
                let request = StreamResets.Deferred(
                    number: packet.uint32(start), lastTSN: packet.uint32(start + 8), streams: streams)
                answer(request.number) { $0.receivedOutgoingReset(request) }
            case ParameterType.incomingReset where parameter.body.count >= 4:
                let streams = packet.streams(in: start + 4..<parameter.body.upperBound)
                answer(packet.uint32(start)) { $0.receivedIncomingReset(streams) }
            case ParameterType.associationReset where parameter.body.count >= 4,
                ParameterType.addIncomingStreams where parameter.body.count >= 4:
                answer(packet.uint32(start)) { _ in .denied }
            case ParameterType.addOutgoingStreams where parameter.body.count >= 8:
                // Our side has all streams from the beginning; nothing has to be added for the peer to use them.
                let count = Int(packet.uint16(start + 4)) + Int(peer?.outgoingStreams ?? 0)
                let limit = Int(configuration.streams)
                answer(packet.uint32(start)) { association in
                    guard count <= limit else { return .denied }
                    association.peer?.outgoingStreams = UInt16(clamping: count)
                    return .performed
                }
            case ParameterType.reconfigurationResponse where parameter.body.count >= 8:
                receivedResponse(packet.uint32(start), packet.uint32(start + 4))
            default: break
            }
        }
    }

    /// Carries out a request of the peer if it is its next one, and answers. One that comes again gets the same answer.
    private mutating func answer(_ number: UInt32, _ body: (inout Association) -> StreamResets.Outcome) {
        if number == resets.expected {
            resets.expected &+= 1
            resets.lastOutcome = body(&self)
        } else if number != resets.expected &- 1 {
            return output.add(control: StreamResets.response(number, .badNumber))
        }
        output.add(control: StreamResets.response(number, resets.lastOutcome))
    }

    private mutating func receivedOutgoingReset(_ request: StreamResets.Deferred) -> StreamResets.Outcome {
        guard request.streams.allSatisfy({ $0 < configuration.streams }) else { return .wrongStream }
        guard mayPerform(request) else {
            // Data that was sent before is still missing (section 5.2.2 E2), or the program has much to read first.
            resets.deferred = request
            return .inProgress
        }
        if !isRepeated(request) { perform(request) }
        resets.carriedOutLate = nil
        return .performed
    }

    private func mayPerform(_ request: StreamResets.Deferred) -> Bool {
        request.lastTSN.isAtOrBefore(receiving.tsns.cumulative)
            && receiving.streams.unreadSize < configuration.receiveWindow
    }

    /// Whether a request that had to wait for data, and was then carried out, comes again under another number.
    private func isRepeated(_ request: StreamResets.Deferred) -> Bool {
        guard let earlier = resets.carriedOutLate else { return false }
        return earlier.lastTSN == request.lastTSN && earlier.streams == request.streams
    }

    private mutating func perform(_ request: StreamResets.Deferred) {
        receiving.interleaved.reset(request.streams)
        receiving.streams.reset(request.streams)
    }

    /// Data has come, or was read, for which a reset may wait.
    mutating func performDeferredReset() {
        guard let request = resets.deferred, mayPerform(request) else { return }
        (resets.deferred, resets.carriedOutLate) = (nil, request)
        perform(request)
        resets.lastOutcome = .performed
        output.add(control: StreamResets.response(request.number, .performed))
    }

    /// The peer wants us to reset our streams: as if the program had asked. Those on which nothing was ever sent are new as they
    /// are, and cost no memory.
    private mutating func receivedIncomingReset(_ streams: [UInt16]) -> StreamResets.Outcome {
        guard streams.allSatisfy({ $0 < outgoingStreams }) else { return .wrongStream }
        let known = streams.filter { outgoing.known($0) != nil }
        for stream in known { outgoing.wantReset(stream, &resets.wanted) }
        return known.isEmpty ? .nothingToDo : .performed
    }

    private mutating func receivedResponse(_ number: UInt32, _ result: UInt32) {
        guard let request = resets.request, request.number == number else { return }
        sending.errors = 0
        let outcome = StreamResets.Outcome(rawValue: result)
        switch outcome {
        case .inProgress:
            resets.request?.deadline = now + roundTrip.timeout
            resets.request?.isInProgress = true
            return
        case .alreadyInProgress:
            // The peer has a request of its own in progress: ask again under a new number.
            resets.request = nil
            resets.wanted = request.streams + resets.wanted
            return
        case .nothingToDo, .performed, .denied, .wrongStream, .badNumber, nil: break
        }
        resets.request = nil
        let isPerformed = outcome == .performed || outcome == .nothingToDo
        for stream in request.streams { outgoing.finishReset(stream, performed: isPerformed) }
        events.append(.resetDone(request.streams, performed: isPerformed))
    }
}

extension RawSpan {
    /// A list of stream numbers.
    fileprivate func streams(in range: Range<Int>) -> [UInt16] {
        stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map { uint16($0) }
    }
}
