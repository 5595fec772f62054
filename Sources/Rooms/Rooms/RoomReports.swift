import Sealing
import Synchronization

/// The reports of the rooms subsystem, in order, for one listener.
///
/// They wait until they are requested, in bounded memory. Reports that the other side can cause any number of times
/// (typing, read receipts, goodbyes, progress) wait once for each room or file; a newer one replaces the older.
package final class RoomReports: AsyncSequence, Sendable {
    package typealias Element = RoomReport
    package typealias Failure = Never

    private struct State {
        /// The waiting reports by their numbers.
        var waiting: [Int: RoomReport] = [:]
        var first = 0
        var end = 0
        /// The number of the waiting report of a topic.
        var topics: [RoomReport.Topic: Int] = [:]
        /// Bytes of waiting note updates, by room.
        var noteBytes: [String: Int] = [:]
        /// Bytes of waiting messages about agents, by room.
        var agentBytes: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func yield(_ report: RoomReport) {
        state.withLock { state in
            let topic = report.topic
            if let number = topic.flatMap({ state.topics[$0] }), let earlier = state.waiting[number] {
                state.waiting[number] = earlier.joined(by: report)
                return
            }
            if let topic { state.topics[topic] = state.end }
            state.waiting[state.end] = report
            state.end += 1
            if case .noteUpdate(let room, _, let bytes) = report {
                state.noteBytes[room, default: 0] += bytes.count + Self.overhead
            }
            if case .agentMessage(let room, let bytes) = report {
                state.agentBytes[room, default: 0] += bytes.count + Self.overhead
            }
        }
        signal.yield()
    }

    /// Nothing is reported after the waiting reports.
    func finish() { signal.finish() }

    /// How many bytes an empty update counts.
    private static let overhead = 256

    /// Bytes of waiting updates of a room's notes. The code that reports them limits this.
    func noteBytes(_ room: String) -> Int { state.withLock { $0.noteBytes[room] ?? 0 } }

    /// Bytes of waiting messages about agents. The code that reports them limits this.
    func agentBytes(_ room: String) -> Int { state.withLock { $0.agentBytes[room] ?? 0 } }

    var count: Int { state.withLock { $0.waiting.count } }

    /// The next report, if one waits.
    func take() -> RoomReport? {
        state.withLock { state in
            guard let report = state.waiting.removeValue(forKey: state.first) else { return nil }
            if let topic = report.topic { state.topics[topic] = nil }
            state.first += 1
            if case .noteUpdate(let room, _, let bytes) = report {
                let left = state.noteBytes[room, default: 0] - bytes.count - Self.overhead
                state.noteBytes[room] = left > 0 ? left : nil
            }
            if case .agentMessage(let room, let bytes) = report {
                let left = state.agentBytes[room, default: 0] - bytes.count - Self.overhead
                state.agentBytes[room] = left > 0 ? left : nil
            }
            return report
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(reports: self, signals: signals.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reports: RoomReports
        fileprivate var signals: AsyncStream<Void>.Iterator

        package mutating func next() async -> RoomReport? {
            while true {
                if let report = reports.take() { return report }
                guard await signals.next(isolation: #isolation) != nil else { return reports.take() }
            }
        }
    }
}

extension RoomReport {
    /// The topic of a report of which one at a time is enough.
    enum Topic: Hashable {
        case message(room: String, UInt64)
        case read(room: String)
        case typing(room: String)
        case left(room: String, forever: Bool)
        case fileRead(room: String, MessageID)
        case progress(room: String, MessageID)
        case ended(room: String, MessageID)
        case settled(room: String, MessageID)
        case keys(room: String)
        case noteOffer(room: String, note: String)
        case noteVectorWanted(room: String, note: String)
        case noteVector(room: String, note: String)
        case noteCursor(room: String, note: String)
        case refused(room: String, SealingError.Code)
        case trouble(room: String)
    }

    var topic: Topic? {
        switch self {
        // It is repeated on each connection until it is stored.
        case .received(let room, let message): .message(room: room, message.sequence)
        case .read(let room, _): .read(room: room)
        case .typing(let room, _): .typing(room: room)
        case .peerLeft(let room, let forever): .left(room: room, forever: forever)
        case .fileRead(let room, let message, _): .fileRead(room: room, message)
        case .fileProgress(let room, let message, _): .progress(room: room, message)
        case .fileFinished(let room, let message, _), .fileFailed(let room, let message, _):
            .ended(room: room, message)
        case .fileSettled(let room, let message): .settled(room: room, message)
        case .keys(let room, _): .keys(room: room)
        case .sealRefused(let room, let code, _): .refused(room: room, code)
        case .noteOffered(let room, let note): .noteOffer(room: room, note: note.id)
        case .noteStopped(let room, let note): .noteOffer(room: room, note: note)
        case .noteStateVectorWanted(let room, let note): .noteVectorWanted(room: room, note: note)
        case .noteStateVector(let room, let note, _): .noteVector(room: room, note: note)
        case .noteCursor(let room, let cursor): .noteCursor(room: room, note: cursor.note)
        case .trouble(let room, _): .trouble(room: room)
        case .watching, .accepted, .watchEnded, .link, .linkFailed, .trust, .remembered, .acknowledged,
            .identity, .trustRevoked, .noteChannel, .noteUpdate, .notePictureWanted, .notePicture, .agentChannel,
            .agentMessage:
            nil
        }
    }

    /// The most messages that may be reported as seen at once. A room does not hold more.
    static let readLimit = 20_000

    /// Combines this report and a later one of the same topic.
    fileprivate func joined(by later: RoomReport) -> RoomReport {
        switch (self, later) {
        case (.read(let room, let seen), .read(_, let more)):
            .read(room: room, messages: seen + more.prefix(Self.readLimit - seen.count))
        case (.sealRefused(let room, let code, let count), .sealRefused(_, _, let more)):
            .sealRefused(room: room, code, count: count + more)
        default: later
        }
    }
}
