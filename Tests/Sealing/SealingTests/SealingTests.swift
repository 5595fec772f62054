import Cryptography
import Foundation
import NanoTDF
import Sealing
import SealingSupport
import Testing

@Suite("Sealing")
struct SealingTests {
    @Test("Two sides that met seal and open in both directions")
    func roundTrip() throws {
        let pair = try SealedPair()
        #expect(try pair.connect().filter { $0 == .peerKnown }.count == 2)
        for number in 0..<20 {
            let content = Array("message \(number)".utf8)
            let sealed = try pair.left.session.seal(content, sequence: UInt64(number))
            #expect(sealed.count == content.count + SealedHeader.overhead)
            let opened = try pair.right.take(sealed)
            #expect(opened.content == content)
            #expect(opened.sequence == UInt64(number))
            #expect(!opened.isLastResort)
            let back = try pair.right.session.seal(content, sequence: UInt64(number))
            #expect(try pair.left.take(back).content == content)
        }
    }

    @Test("An opened message is a replay afterwards, before its key is erased and after, and after a restart")
    func replay() throws {
        let pair = try SealedPair()
        try pair.connect()
        let sealed = try pair.left.session.seal([1, 2, 3], sequence: 7)
        let opened = try pair.right.session.open(sealed)
        #expect(try pair.right.session.open(sealed) == opened)
        try pair.right.store.keep(opened)
        #expect(throws: Refused(.replayed)) { try pair.right.session.openChecked(sealed) }
        try pair.right.session.erase([opened.use])
        #expect(throws: Refused(.replayed)) { try pair.right.session.openChecked(sealed) }
        try pair.right.restart()
        #expect(throws: Refused(.replayed)) { try pair.right.session.openChecked(sealed) }
        #expect(try pair.right.store.messages() == [7: [1, 2, 3]])
    }

    @Test("What was marked and not yet erased is erased when the session is opened next")
    func erasureAfterCrash() throws {
        let pair = try SealedPair()
        try pair.connect()
        let sealed = try pair.left.session.seal([1], sequence: 1)
        let opened = try pair.right.session.open(sealed)
        try pair.right.store.keep(opened)
        let index = Int(try #require(opened.use.index))
        #expect(try pair.right.slot(index) != SlotBytes.empty)
        try pair.right.restart()
        #expect(try pair.right.slot(index) == SlotBytes.empty)
    }

    @Test("Both sides see the same safety number, and another pair sees another")
    func safetyNumber() throws {
        let pair = try SealedPair()
        #expect(pair.left.session.state.safetyNumber == nil)
        try pair.connect()
        let number = try #require(pair.left.session.state.safetyNumber)
        #expect(number.filter(\.isNumber).count == 60)
        #expect(pair.right.session.state.safetyNumber == number)
        try pair.left.restart()
        #expect(pair.left.session.state.safetyNumber == number)
        let other = try SealedPair()
        try other.connect()
        #expect(other.left.session.state.safetyNumber != number)
        #expect(try pair.left.session.meetingSecret() == pair.right.session.meetingSecret())
        #expect(try pair.left.session.meetingSecret() != other.right.session.meetingSecret())
    }

    @Test("Nothing is sealed before the other side introduced itself and announced keys")
    func noKeysYet() throws {
        let pair = try SealedPair()
        #expect(throws: Refused(.noKeysYet)) { try pair.left.session.sealChecked([1]) }
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))
        _ = try pair.left.session.connected(to: SealedPair.binding(.creator))
        _ = try pair.left.session.receive(control: introduction[0])
        #expect(throws: Refused(.noKeysYet)) { try pair.left.session.sealChecked([1]) }
    }

    @Test("Several messages are sealed at once, each to a key of its own")
    func batch() throws {
        let pair = try SealedPair(target: 512)
        try pair.connect()
        let messages = (0..<200).map { (content: [UInt8($0)], sequence: UInt64($0)) }
        let sealed = try pair.left.session.sealBatch(messages)
        let opened = try sealed.map { try pair.right.take($0) }
        #expect(opened.map(\.content) == messages.map(\.content))
        #expect(Set(opened.map(\.use.index)).count == 200)
    }

    @Test("A message is as long as NanoTDF allows and no longer")
    func length() throws {
        let pair = try SealedPair()
        try pair.connect()
        let longest = [UInt8](repeating: 7, count: SealedHeader.contentLimit)
        let sealed = try pair.left.session.seal(longest, sequence: 1)
        #expect(try pair.right.session.open(sealed).content == longest)
        #expect(throws: Refused(.tooLarge)) { try pair.left.session.sealChecked(longest + [0]) }
    }
}

/// A refusal by its code alone.
struct Refused: Error, Equatable {
    let code: SealingError.Code
    init(_ code: SealingError.Code) { self.code = code }
}

/// Throws ``Refused`` for a refusal of the session.
func refusing<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SealingError { throw Refused(error.code) }
}

extension SealingSession {
    @discardableResult
    func openChecked(_ bytes: [UInt8]) throws -> OpenedMessage { try refusing { try open(bytes) } }
    @discardableResult
    func sealChecked(_ content: [UInt8]) throws -> [UInt8] { try refusing { try seal(content, sequence: 1) } }
    @discardableResult
    func receiveChecked(_ bytes: [UInt8]) throws -> [SealingOutput] { try refusing { try receive(control: bytes) } }
}

enum SlotBytes {
    static let count = 64
    static let empty = [UInt8](repeating: 0, count: count)
}

extension SealedPair.Side {
    /// The bytes of a slot in the only pool of this side, read past the session.
    func slot(_ index: Int) throws -> [UInt8] {
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: store.poolsFolder).first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: store.poolsFolder + "/" + name))
        return Array(bytes[(index + 1) * SlotBytes.count..<(index + 2) * SlotBytes.count])
    }
}

@Test(arguments: SealingError.Code.allCases)
func anErrorNamesItsCode(code: SealingError.Code) {
    #expect("\(SealingError(code, "Why."))" == "\(code.rawValue): Why.")
}
