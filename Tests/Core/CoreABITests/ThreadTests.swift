import AppCore
import CAlcoveCore
import Foundation
import Synchronization
import Testing

/// Any thread may call, on any core, at any time.
@Suite(.timeLimit(.minutes(5))) struct ThreadTests {
    private static let join = #"{"type":"join_room","code":"482913"}"#

    @Test func `eight threads on one core`() throws {
        let host = try ForeignHost()
        try host.dispatch(#"{"type":"started","locked":false,"records":[]}"#)
        let core = UInt(bitPattern: host.core)
        let seen = Mutex<(numbers: [Int64], effects: [Int64])>(([], []))
        try onThreads(8) { thread in
            let core = OpaquePointer(bitPattern: core)
            for turn in 0..<40 {
                let report = try Answer(alcove_core_dispatch(core, Self.join)).result
                let drained = turn % 4 == 0 ? try Answer(alcove_core_drain_effects(core)).result?.array ?? [] : []
                if thread == 0 { _ = try Answer(alcove_core_tree(core)) }
                seen.withLock {
                    $0.numbers += [report?["seq"]?.integer ?? 0]
                    $0.effects += drained.compactMap { $0["id"]?.integer }
                }
            }
        }
        let rest = try host.drain().result?.array?.compactMap { $0["id"]?.integer } ?? []
        let (numbers, effects) = seen.withLock { $0 }
        #expect(numbers.sorted() == Array(2...321))
        #expect((effects + rest).sorted() == Array(1...320))
    }

    @Test func `eight threads on cores of their own`() throws {
        let states = Mutex<Set<String>>([])
        try onThreads(8) { _ in
            let host = try ForeignHost()
            try host.dispatch(#"{"type":"started","locked":false,"records":[]}"#)
            for _ in 0..<40 { try host.dispatch(Self.join) }
            let state = try host.state().text
            states.withLock { _ = $0.insert(state) }
        }
        #expect(states.withLock { $0.count } == 1)
    }

    @Test func `a core is freed while others call it`() throws {
        for _ in 0..<10 {
            let core = UInt(bitPattern: alcove_core_new("\"verified_chat\""))
            #expect(core != 0)
            try onThreads(8) { thread in
                let core = OpaquePointer(bitPattern: core)
                for _ in 0..<10 {
                    let answer = try Answer(alcove_core_tree(core))
                    if !answer.isOK { #expect(answer.code == "unknown_handle") }
                    if thread == 3 { alcove_core_free(core) }
                }
            }
            #expect(try Answer(alcove_core_tree(OpaquePointer(bitPattern: core))).code == "unknown_handle")
        }
    }

    @Test func `each thread has an error of its own`() throws {
        #expect(alcove_core_new("x") == nil)
        try onThreads(2) { _ throws in
            #expect(try Answer(alcove_core_last_error(nil)).result == .null)
            #expect(alcove_core_new("[]") == nil)
            #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("bad_config"))
        }
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("not_json"))
    }

    /// Runs `work` on so many new threads at once, and waits for all.
    private func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
        let group = DispatchGroup()
        let failed = FirstFailure()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                do { try work(index) } catch { failed.add(error) }
                group.leave()
            }
        }
        group.wait()
        try failed.rethrow()
    }
}

private final class FirstFailure: Sendable {
    private let first = Mutex<(any Error)?>(nil)
    func add(_ error: any Error) { first.withLock { $0 = $0 ?? error } }
    func rethrow() throws { if let error = first.withLock({ $0 }) { throw error } }
}
