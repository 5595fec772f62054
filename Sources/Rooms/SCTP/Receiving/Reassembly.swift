/// Puts messages together from DATA chunks, whose pieces have consecutive TSNs (RFC 9260 section 6.9).
///
/// Pieces that come in order are appended to the message at the head. Those behind a gap are kept by TSN, where runs of
/// pieces that belong together know their ends, so that a whole message is noticed at once.
struct Reassembly {
    struct Piece {
        var stream: UInt16
        var flags: UInt8
        var number: UInt32
        var identifier: UInt32
        var bytes: [UInt8]
        /// The other end of the run; right only at the ends.
        var otherEnd: UInt32

        var isBeginning: Bool { flags & ChunkFlag.beginning != 0 }
        var isEnd: Bool { flags & ChunkFlag.ending != 0 }
        var isOrdered: Bool { flags & ChunkFlag.unordered == 0 }
    }

    private let limit: Int
    /// The message of which the pieces up to the cumulative TSN are there, and the next ones are not.
    private var head = Piece(stream: 0, flags: 0, number: 0, identifier: 0, bytes: [], otherEnd: 0)
    private var hasHead = false
    private var pieces: [UInt32: Piece] = [:]
    private var lastCount = 0
    /// Bytes held, with what holding them costs.
    private(set) var size = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { pieces.isEmpty }

    enum Result {
        case incomplete
        case complete(AssembledMessage, stream: UInt16, number: UInt32, isOrdered: Bool)
        case tooLarge
    }

    // MARK: - In order

    /// Takes the chunk that follows the cumulative TSN.
    mutating func addNext(_ chunk: DataChunk, _ packet: RawSpan) -> Result {
        let bytes = packet.extracting(chunk.bytes)
        if chunk.isBeginning {
            dropHead()
            guard bytes.byteCount <= limit else { return .tooLarge }
            if chunk.isEnd {
                let message = AssembledMessage(identifier: chunk.identifier, bytes: packet.array(chunk.bytes))
                return .complete(
                    message, stream: chunk.stream, number: chunk.number, isOrdered: chunk.isOrdered)
            }
            begin(chunk, bytes)
            return .incomplete
        }
        guard hasHead, head.stream == chunk.stream, head.number == chunk.number else {
            // Its beginning was given up.
            dropHead()
            return .incomplete
        }
        guard head.bytes.count + bytes.byteCount <= limit else { return .tooLarge }
        bytes.withUnsafeBytes { head.bytes.append(contentsOf: $0) }
        size += bytes.byteCount
        return chunk.isEnd ? finishHead() : .incomplete
    }

    private mutating func begin(_ chunk: DataChunk, _ bytes: RawSpan) {
        var start: [UInt8] = []
        // Messages of one channel tend to have one size.
        start.reserveCapacity(max(lastCount, bytes.byteCount))
        bytes.withUnsafeBytes { start.append(contentsOf: $0) }
        head = Piece(
            stream: chunk.stream, flags: chunk.flags, number: chunk.number, identifier: chunk.identifier, bytes: start,
            otherEnd: 0)
        hasHead = true
        size += bytes.byteCount + IncomingStreams.overhead
    }

    private mutating func finishHead() -> Result {
        let message = AssembledMessage(identifier: head.identifier, bytes: head.bytes)
        lastCount = min(message.bytes.count, 1 << 18)
        defer { dropHead() }
        return .complete(message, stream: head.stream, number: head.number, isOrdered: head.isOrdered)
    }

    private mutating func dropHead() {
        guard hasHead else { return }
        size -= head.bytes.count + IncomingStreams.overhead
        (hasHead, head.bytes) = (false, [])
    }

    /// Takes the kept piece that follows the cumulative TSN, if there is one.
    mutating func addKept(_ tsn: UInt32) -> Result {
        guard let piece = remove(tsn) else { return .incomplete }
        let chunk = DataChunk(
            tsn: tsn, stream: piece.stream, flags: piece.flags, number: piece.number, identifier: piece.identifier,
            fragment: 0, bytes: 0..<piece.bytes.count)
        return addNext(chunk, piece.bytes.span.bytes)
    }

    // MARK: - Behind a gap

    /// Keeps a chunk that is behind a gap, or completes a message with it.
    mutating func keep(_ chunk: DataChunk, _ packet: RawSpan) -> Result {
        guard chunk.bytes.count <= limit else { return .tooLarge }
        if chunk.isWhole {
            let message = AssembledMessage(identifier: chunk.identifier, bytes: packet.array(chunk.bytes))
            return .complete(message, stream: chunk.stream, number: chunk.number, isOrdered: chunk.isOrdered)
        }
        var (start, end) = (chunk.tsn, chunk.tsn)
        if !chunk.isBeginning, let before = pieces[chunk.tsn &- 1], !before.isEnd { start = before.otherEnd }
        if !chunk.isEnd, let after = pieces[chunk.tsn &+ 1], !after.isBeginning { end = after.otherEnd }
        pieces[chunk.tsn] = Piece(
            stream: chunk.stream, flags: chunk.flags, number: chunk.number, identifier: chunk.identifier,
            bytes: packet.array(chunk.bytes), otherEnd: chunk.tsn)
        size += chunk.bytes.count + IncomingStreams.overhead
        // The end of a run of one piece is itself.
        pieces[start]?.otherEnd = end
        pieces[end]?.otherEnd = start
        guard pieces[start]?.isBeginning == true, pieces[end]?.isEnd == true else { return .incomplete }
        return join(start, end)
    }

    private mutating func join(_ start: UInt32, _ end: UInt32) -> Result {
        guard let first = pieces[start] else { return .incomplete }
        var message = AssembledMessage(identifier: first.identifier, bytes: [])
        message.bytes.reserveCapacity(lastCount)
        var (tsn, isSound) = (start, true)
        while !end.isBefore(tsn) {
            if let piece = remove(tsn) {
                isSound = isSound && piece.stream == first.stream && piece.number == first.number
                if message.bytes.count <= limit { message.bytes += piece.bytes }
            } else {
                isSound = false
            }
            tsn = tsn &+ 1
        }
        guard message.bytes.count <= limit else { return .tooLarge }
        guard isSound else { return .incomplete }
        return .complete(message, stream: first.stream, number: first.number, isOrdered: first.isOrdered)
    }

    private mutating func remove(_ tsn: UInt32) -> Piece? {
        guard !pieces.isEmpty, let piece = pieces.removeValue(forKey: tsn) else { return nil }
        size -= piece.bytes.count + IncomingStreams.overhead
        return piece
    }

    // MARK: - What was given up

    /// The sender gave up all behind `cumulative` and up to `tsn` that has not arrived. Costs no more steps than there are pieces, or
    /// TSNs in between.
    mutating func skip(from cumulative: UInt32, to tsn: UInt32) {
        dropHead()
        let steps = cumulative.steps(to: tsn)
        let passed =
            steps < pieces.count
            ? (0..<max(0, steps)).map { cumulative &+ 1 &+ UInt32($0) } : pieces.keys.filter { $0.isAtOrBefore(tsn) }
        for old in passed {
            guard let piece = remove(old) else { continue }
            // What is left of the run begins behind.
            if piece.otherEnd != old, !piece.otherEnd.isAtOrBefore(tsn) {
                pieces[tsn &+ 1]?.otherEnd = piece.otherEnd
                pieces[piece.otherEnd]?.otherEnd = tsn &+ 1
            }
        }
    }
}
