import DataChannels
import Foundation
import Sealing
import Synchronization

@testable import Rooms

/// A channel that keeps sent messages until the test delivers them.
final class TestChannel: ConversationChannel {
    private struct State {
        var sent: [[UInt8]] = []
        var limit = Int.max
        var threshold = 0
        var waiting = 0
    }

    private let state = Mutex(State())

    /// Messages that may wait.
    var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Bytes that wait, as far as the conversation knows.
    var bufferedAmount: Int {
        get { state.withLock { $0.waiting } }
        set { state.withLock { $0.waiting = newValue } }
    }

    var bufferedAmountLowThreshold: Int {
        get { state.withLock { $0.threshold } }
        set { state.withLock { $0.threshold = newValue } }
    }

    func send(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard state.sent.count < state.limit else { throw PeerConnectionError(.limit, "full") }
            state.sent.append(bytes)
        }
    }

    func take() -> [UInt8]? { state.withLock { $0.sent.isEmpty ? nil : $0.sent.removeFirst() } }
}

/// One side of a room: a conversation over a store that lasts, and an owner that behaves as the core does.
final class TestSide {
    let store = MemoryDeliveries()
    let sealing: SealingFolder
    let binding: ChannelBinding
    let folder: String
    var reports = RoomReports()
    var conversation: Conversation
    var channels: [RoomLink.Channel: TestChannel] = [:]

    /// The owner's disk.
    var messages: [OutgoingMessage] = []
    var transfers: [MessageID: TestTransfer] = [:]
    var heard: [String] = []
    private var known: Set<MessageID> = []
    /// Messages that the conversation passed on, including known ones.
    var handedOn = 0
    /// What was refused, and how often.
    var refused: [SealingError.Code: Int] = [:]
    /// How many messages came under the last-resort key.
    var lastResorts = 0
    var identity: String?
    var isRevoked = false
    /// Whether the owner stores messages.
    var stores = true
    let notebook = Notebook()

    init(_ folder: String, _ role: ChannelBinding.Role) throws {
        self.folder = folder
        sealing = try SealingFolder(folder + "-keys")
        binding = SealedPeer.binding(role)
        conversation = try Self.conversation(store, sealing, folder, reports)
    }

    private static func conversation(
        _ store: MemoryDeliveries, _ sealing: SealingFolder, _ folder: String, _ reports: RoomReports
    ) throws -> Conversation {
        // So few that they are there at once, and nothing happens in the background.
        try Conversation(
            room: "room", store: store, sealing: sealing, keyTarget: SealedPeer.keyTarget, filesFolder: folder,
            report: reports)
    }

    /// The process dies with all unread reports, and another one starts.
    func restart() async throws {
        channels = [:]
        reports = RoomReports()
        conversation = try Self.conversation(store, sealing, folder, reports)
        for message in messages { try await conversation.deliver(message) }
        for (id, transfer) in transfers where transfer.state == .running && transfer.isIncoming {
            try? await conversation.acceptFile(id)
        }
    }

    /// What the host does with each report.
    /// - Returns: whether there was one.
    func handleReports() async throws -> Bool {
        let isBusy = reports.count > 0
        while let report = reports.take() {
            switch report {
            case .received(_, let message):
                handedOn += 1
                switch message.content {
                case .file where transfers[message.id] == nil:
                    transfers[message.id] = TestTransfer(isIncoming: true, state: .offered)
                // A core knows which messages it has stored.
                case .text(let text): if known.insert(message.id).inserted { heard.append(text) }
                default: break
                }
                guard stores else { break }
                if message.isLastResort { lastResorts += 1 }
                try sealing.write(durably: true) { try SealingTables.mark([message.use], in: $0) }
                try await conversation.acknowledge(upTo: message.sequence)
            case .sealRefused(_, let code, let count): refused[code, default: 0] += count
            case .identity(_, _, let number): identity = number
            case .trustRevoked: isRevoked = true
            case .acknowledged(_, let message): messages.removeAll { $0.id == message }
            case .fileProgress(_, let id, _): if transfers[id]?.state == .offered { transfers[id]?.state = .running }
            case .fileFinished(_, let id, let path): transfers[id]?.end(.finished, path)
            case .fileFailed(_, let id, let failure): transfers[id]?.end(.failed(failure.code))
            case .fileSettled(_, let id): try await conversation.settleFile(id)
            default: try await notebook.handle(report, conversation)
            }
        }
        return isBusy
    }
}

struct TestTransfer: Equatable {
    enum State: Equatable { case offered, running, finished, failed(RoomsFailure.Code) }

    let isIncoming: Bool
    var state: State
    var path: String?

    var isOpen: Bool { state == .offered || state == .running }

    mutating func end(_ end: State, _ path: String? = nil) {
        guard isOpen else { return }
        state = end
        self.path = path
    }
}

/// Two sides of a room, whose messages the test delivers.
final class ConversationPair {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pair-\(UUID().uuidString)").path
    let ada: TestSide
    let ben: TestSide
    /// The connection breaks when a signal comes by for which this is true.
    var breaks: (Envelope.Signal) -> Bool = { _ in false }
    /// The connection breaks after so many envelopes.
    var envelopesLeft = Int.max
    /// Decides for each frame on the channel of notes whether it is delivered.
    var carriesNote: (NoteFrame) -> Bool = { _ in true }
    /// Everything that was delivered over the other channels.
    var carried: [[UInt8]] = []

    init() throws {
        try FileManager.default.createDirectory(atPath: folder + "/ben", withIntermediateDirectories: true)
        ada = try TestSide(folder + "/ada", .creator)
        ben = try TestSide(folder + "/ben", .joiner)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var sides: [TestSide] { [ada, ben] }

    func connect() async {
        for side in sides {
            for channel in RoomLink.Channel.allCases { side.channels[channel] = TestChannel() }
            await side.conversation.connected(side.channels, binding: side.binding)
        }
    }

    func cut() async {
        for side in sides where !side.channels.isEmpty {
            side.channels = [:]
            await side.conversation.disconnected()
        }
    }

    /// Delivers sent messages, and lets the owners handle their reports, until nothing more happens.
    func settle() async throws {
        var isBusy = true
        while isBusy {
            isBusy = false
            for (from, to) in [(ada, ben), (ben, ada)] {
                for channel in RoomLink.Channel.allCases {
                    guard let bytes = from.channels[channel]?.take() else { continue }
                    isBusy = true
                    try await carry(bytes, on: channel, to: to)
                }
                for work in await from.conversation.fileWork.values {
                    await work.value
                    isBusy = true
                }
                if try await from.handleReports() { isBusy = true }
            }
        }
    }

    private func carry(_ bytes: [UInt8], on channel: RoomLink.Channel, to side: TestSide) async throws {
        if channel == .notes {
            if carriesNote(try NoteFrame(bytes: bytes)) {
                await side.conversation.received(note: bytes)
            } else {
                await cut()
            }
            return
        }
        envelopesLeft -= 1
        var isBroken = envelopesLeft < 0
        if case .signal(let signal)? = try? Envelope(bytes: bytes), breaks(signal) { isBroken = true }
        carried.append(bytes)
        if isBroken {
            await cut()
        } else {
            await side.conversation.received(bytes)
        }
    }

    /// Only one side notices that the connection was interrupted, and messages on their way are lost.
    func interrupt(_ side: TestSide) async {
        for other in sides { for channel in other.channels.values { while channel.take() != nil {} } }
        await side.conversation.disconnected()
        await side.conversation.connected(side.channels, binding: side.binding)
    }

    /// Ada offers a file to Ben.
    func offer(_ number: Int, bytes: Int = 200_000) async throws -> MessageID {
        let path = folder + "/sent-\(number)"
        try Data(repeating: UInt8(truncatingIfNeeded: number), count: bytes).write(to: URL(fileURLWithPath: path))
        let id = OutboxTests.id(number)
        let message = OutgoingMessage(id: id, sentAt: 0, content: .file(path: path, name: "file-\(number)", voice: nil))
        ada.messages.append(message)
        ada.transfers[id] = TestTransfer(isIncoming: false, state: .offered)
        try await ada.conversation.deliver(message)
        return id
    }
}
