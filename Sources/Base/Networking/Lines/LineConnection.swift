internal import Synchronization

/// One client of a ``LineServer``: its lines wait in order, and one of them is with the server at a time.
final class LineConnection: StreamOwner {
    private struct State {
        var input: LineBuffer
        var isAnswering = false
        /// The client sends nothing more; the connection ends after its last answer.
        var isEnding = false
    }

    private let stream: ByteStream
    private let limits: LineServer.Limits
    private let refusal: [UInt8]?
    private let answer: LineServer.Answer
    private let closed: @Sendable (LineConnection) -> Void
    private let state: Mutex<State>

    init(
        _ stream: ByteStream, _ server: LineServer, closed: @escaping @Sendable (LineConnection) -> Void
    ) {
        self.stream = stream
        limits = server.limits
        refusal = server.refusal
        answer = server.answer
        state = Mutex(State(input: LineBuffer(limit: server.limits.line)))
        self.closed = closed
    }

    func start() -> Bool { stream.start(self) }
    /// Ends after the answer that is under way, if there is one.
    func finish() {
        let isAnswering = state.withLock { state in
            state.isEnding = true
            state.input = LineBuffer(limit: limits.line)
            return state.isAnswering
        }
        if !isAnswering { stream.finish() }
    }

    func cut() { stream.cut() }

    func streamOpened() {}

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        let isEndless = state.withLock { state in
            guard !state.isEnding else { return false }
            state.input.append(bytes)
            // While a line is answered, the kernel holds back what follows it, not this process.
            if state.isAnswering, state.input.count > 1 << 16 { stream.setReceiving(false) }
            return state.input.isEndless || (refusal == nil && state.input.hasTooLongLine)
        }
        if isEndless { return stream.cut() }
        answerNext()
    }

    func streamHasMoreToSay() -> Bool {
        let hasMore = state.withLock { state in
            state.isEnding = true
            state.input.endLine()
            return state.isAnswering || state.input.hasLine
        }
        answerNext()
        return hasMore
    }

    func streamClosed(_ end: StreamEnd) { closed(self) }

    private func answerNext() {
        let next = state.withLock { state -> [UInt8]? in
            guard !state.isAnswering else { return nil }
            guard let line = state.input.next() else {
                if !state.isEnding { stream.setReceiving(true) }
                return nil
            }
            state.isAnswering = true
            return line
        }
        guard let next else { return }
        Task { [answer, limits, refusal] in
            let bytes = next.count > limits.line ? refusal ?? [] : await answer(next)
            switch self.stream.send(bytes + [UInt8(ascii: "\n")], limit: self.limits.answer) {
            case .queued: self.answered()
            case .full: self.stream.cut()
            case .closed: break
            }
        }
    }

    private func answered() {
        let isOver = state.withLock { state in
            state.isAnswering = false
            return state.isEnding && !state.input.hasLine
        }
        if isOver { stream.finish() } else { answerNext() }
    }
}

/// Received bytes, cut into lines. Of a line that is too long, little more than the limit is kept in memory.
struct LineBuffer {
    /// How many bytes of a line are kept: enough to see that it is too long, also if it ends in CRLF.
    private static let excess = 2
    /// How many bytes of one line are skipped.
    private static let patience = 1 << 30

    let limit: Int
    /// What was kept of the unfinished line, and how much was skipped.
    private var unfinished = 0
    private var dropped = 0
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here there is no line end.
    private var searched = 0

    var count: Int { bytes.count - start }

    init(limit: Int = .max - LineBuffer.excess) { self.limit = limit }

    /// Whether the line that has not ended is already longer than a line may be.
    var hasTooLongLine: Bool { unfinished > limit }
    /// Whether that line is so long that the connection ends.
    var isEndless: Bool { dropped > Self.patience }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        var rest = more[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(end ?? rest.endIndex)]
            let kept = piece.prefix(limit + Self.excess - unfinished)
            bytes.append(contentsOf: kept)
            unfinished += kept.count
            dropped += piece.count - kept.count
            guard let end else { return }
            bytes.append(UInt8(ascii: "\n"))
            (unfinished, dropped) = (0, 0)
            rest = rest[(end + 1)...]
        }
    }

    /// Nothing more will come, so the rest without a line end counts as a line.
    mutating func endLine() {
        if count > 0 { bytes.append(UInt8(ascii: "\n")) }
        (unfinished, dropped) = (0, 0)
    }

    /// Whether a whole line is there that ``next()`` would return.
    var hasLine: Bool {
        var copy = self
        return copy.next() != nil
    }

    /// The next line that is not empty, without its end (LF or CRLF).
    mutating func next() -> [UInt8]? {
        while let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = bytes[start..<end]
            start = end + 1
            searched = start
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let isBlank = line.isEmpty
            let result = isBlank ? [] : Array(line)
            compact()
            if !isBlank { return result }
        }
        searched = bytes.count
        compact()
        return nil
    }

    private mutating func compact() {
        guard start > 1 << 16 || start == bytes.count else { return }
        bytes.removeFirst(start)
        searched = max(0, searched - start)
        start = 0
    }
}
