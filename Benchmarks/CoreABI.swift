import Foundation
import Platform

extension Suite {
    static let coreABI = Suite(name: "core-abi", about: "the core behind its C interface: text in, text out") {
        recorder in
        let exchanges = 10_000
        try await recorder.rate(
            "dispatches through C, effects drained", unit: "dispatches/s", aim: 20_000, count: 2 * exchanges
        ) {
            let talk = try ForeignTalk()
            for number in 0..<exchanges { try talk.exchange(number) }
        }
        let talk = try ForeignTalk()
        for number in 0..<1000 { try talk.exchange(number) }
        try await recorder.rate("trees of 1000 messages through C", unit: "trees/s", count: 20) {
            for _ in 0..<20 { try talk.read(talk.library.tree(talk.core)) }
        }
        try await recorder.rate("states of 1000 messages through C", unit: "states/s", count: 20) {
            for _ in 0..<20 { try talk.read(talk.library.state(talk.core)) }
        }
        try await recorder.rate("logs of 100 transitions through C", unit: "logs/s", count: 200) {
            for _ in 0..<200 { try talk.read(talk.library.logs(talk.core, 100)) }
        }
        try await recorder.rate("events for nobody through C", unit: "dispatches/s", count: 20_000) {
            for _ in 0..<20_000 { try talk.read(talk.library.platformEvent(talk.core, #"{"type":"tick"}"#)) }
        }
    }
}

/// A host in which two people talk, and which sees nothing but text.
private final class ForeignTalk: Sendable {
    struct Refused: Error { let answer: String }

    let library: CoreLibrary
    private let handle: UInt
    private let room: String
    var core: OpaquePointer? { OpaquePointer(bitPattern: handle) }

    init() throws {
        let library = try CoreLibrary()
        let core = library.make(#""verified_chat""#)
        handle = UInt(bitPattern: core)
        let effects = library.drainEffects(core)
        defer { library.freeString(effects) }
        let text = effects.map { String(cString: $0) } ?? ""
        guard let found = text.firstMatch(of: /"room":"([0-9a-f]+)"/) else { throw Refused(answer: text) }
        room = String(found.1)
        self.library = library
    }

    deinit { library.free(core) }

    /// Sends a message as a real host does (with time and ids), takes the effect, and has it acknowledged.
    func exchange(_ number: Int) throws {
        let digits = String(number + 1, radix: 16)
        let fresh = String(repeating: "0", count: 32 - digits.count) + digits + String(repeating: "0", count: 32)
        let now = 1_700_000_100_000 + number
        let text = "The quick brown fox jumps over the lazy dog"
        let action = #"{"room":"\#(room)","text":"\#(text)","type":"send_text"}"#
        try read(library.dispatch(core, #"{"action":\#(action),"at":\#(now),"fresh":"\#(fresh)"}"#))
        let effects = try self.text(library.drainEffects(core))
        guard let id = Self.number(after: #""id":"#, in: effects) else { throw Refused(answer: effects) }
        let answer = #"{"effect":\#(id),"type":"acknowledged"}"#
        try read(library.dispatch(core, #"{"action":\#(answer),"at":\#(now),"fresh":"\#(fresh)"}"#))
        try read(library.drainEffects(core))
    }

    /// Takes an answer and gives it back, as a host does that wants to know no more than whether it went well.
    func read(_ string: UnsafeMutablePointer<CChar>?) throws {
        defer { library.freeString(string) }
        guard let string, string[6] == CChar(bitPattern: UInt8(ascii: "t")) else {
            throw Refused(answer: string.map { String(cString: $0) } ?? "")
        }
    }

    private func text(_ string: UnsafeMutablePointer<CChar>?) throws -> String {
        defer { library.freeString(string) }
        guard let string else { throw Refused(answer: "") }
        return String(cString: string)
    }

    /// The digits after the first place where `mark` stands.
    private static func number(after mark: String, in text: String) -> String? {
        let text = text.utf8
        let mark = Array(mark.utf8)
        var rest = text[...]
        while !rest.starts(with: mark) {
            guard !rest.isEmpty else { return nil }
            rest = rest.dropFirst()
        }
        return String(rest.dropFirst(mark.count).prefix { $0 != UInt8(ascii: ",") })
    }
}

/// The library as a host in another language loads it: `libalcove_core.so` beside this program.
struct CoreLibrary: Sendable {
    typealias Text = UnsafeMutablePointer<CChar>
    typealias Show = @Sendable @convention(c) (OpaquePointer?) -> Text?
    typealias Take = @Sendable @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Text?

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    let make: @Sendable @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    let free: @Sendable @convention(c) (OpaquePointer?) -> Void
    let dispatch: Take
    let platformEvent: Take
    let state: Show
    let tree: Show
    let drainEffects: Show
    let logs: @Sendable @convention(c) (OpaquePointer?, UInt32) -> Text?
    let freeString: @Sendable @convention(c) (Text?) -> Void

    init() throws {
        let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("libalcove_core.so").path
        guard let image = dlopen(path, RTLD_NOW) else {
            throw Missing(description: "\(path) cannot be loaded; build it with: make core")
        }
        // The types are those of include/alcove_core.h.
        func function<Function>(_ name: String) throws -> Function {
            guard let address = dlsym(image, "alcove_core_" + name) else { throw Missing(description: "no \(name)") }
            return unsafeBitCast(address, to: Function.self)
        }
        make = try function("new")
        free = try function("free")
        dispatch = try function("dispatch")
        platformEvent = try function("platform_event")
        state = try function("state")
        tree = try function("tree")
        drainEffects = try function("drain_effects")
        logs = try function("logs")
        freeString = try function("string_free")
    }
}
