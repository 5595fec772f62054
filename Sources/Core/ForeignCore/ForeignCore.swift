package import AppCore
import Synchronization

/// A core in a library that was written elsewhere, in any language, behind one Swift face.
///
/// Two dialects are understood: `alcove_core_*` (`include/alcove_core.h`) and the eight functions `jcode_mobile_*`, of
/// which all but `new` and `free` may also be called `jcode_mobile_app_*`. What comes back is checked in every way that
/// text can be checked; but a library is code in this process, and can still bring it down.
///
/// Any thread may call; the library is called by one at a time.
package final class ForeignCore: Sendable {
    package enum Dialect: String, Sendable, Hashable { case alcove, jcode }

    /// The result of one dispatch.
    package struct Report: Sendable, Hashable {
        /// Work for the host, in order. In the dialect `alcove` these were taken from the core's queue.
        package let effects: [JSONValue]
        /// What to save before the effects are carried out: `{"key":…,"json":…}`. Only in the dialect `alcove`.
        package let records: [JSONValue]
        /// The whole report, as the core wrote it.
        package let json: ForeignJSON
    }

    package let dialect: Dialect
    /// Effects that wait for an answer from the beginning: those of the scenario.
    package let initialEffects: [JSONValue]
    private let session: Mutex<Session>

    /// Loads the library and makes a core.
    /// - Parameters:
    ///   - library: the path of a shared library.
    ///   - scenario: the situation to begin in: a name, or what the library understands; `nil` for a new core.
    ///   - state: what the core goes on from, as it told it itself; in the place of a scenario.
    ///   - answerLimit: bytes of one text that the library may return.
    package init(
        library: String, scenario: JSONValue? = nil, state: JSONValue? = nil, answerLimit: Int = 64 << 20
    ) throws(ForeignCoreError) {
        let session = try Session(
            Library(path: library), scenario: scenario, state: state, AnswerReader(limit: answerLimit))
        dialect = session.library.dialect
        do { initialEffects = try session.drain() } catch {
            session.end()
            throw error
        }
        self.session = Mutex(session)
    }

    deinit { session.withLock { $0.end() } }

    /// Lets something happen: an input or a bare action, in JSON.
    package func dispatch(_ json: [UInt8]) throws(ForeignCoreError) -> Report {
        try session.withLock { session throws(ForeignCoreError) in
            try session.take(session.library.dispatch, "dispatch", json)
        }
    }

    /// Lets an event of the platform happen, in JSON.
    package func platformEvent(_ json: [UInt8]) throws(ForeignCoreError) -> Report {
        try session.withLock { session throws(ForeignCoreError) in
            try session.take(session.library.platformEvent, "platform_event", json)
        }
    }

    package func state() throws(ForeignCoreError) -> ForeignJSON {
        try session.withLock { session throws(ForeignCoreError) in
            try session.read(session.library.state(session.core), "state")
        }
    }

    package func tree() throws(ForeignCoreError) -> ForeignJSON {
        try session.withLock { session throws(ForeignCoreError) in
            try session.read(session.library.tree(session.core), "tree")
        }
    }

    /// Whether the core has several views, and windows onto long lists.
    package var hasViews: Bool { session.withLock { $0.library.alcove?.changes != nil } }

    /// The whole tree of a view, of which lists have the rows that `windows` ask for.
    /// - Throws: ``ForeignCoreError``, also if the view is not open, or if there is one view only: see ``hasViews``.
    package func tree(
        for view: ViewID, windows: [String: Window.Request]
    ) throws(ForeignCoreError) -> JSONValue {
        let look = Look(view: view, windows: windows)
        guard let json = try? JSON.encode(look) else {
            throw ForeignCoreError(.badInput, "the windows cannot be written")
        }
        let answer = try session.withLock { session throws(ForeignCoreError) in try session.changes(json) }
        guard let root = answer.value["root"] else {
            throw ForeignCoreError(.unexpected, "changes since the beginning returned no tree")
        }
        return root
    }

    private struct Look: Encodable {
        var view: ViewID
        var windows: [String: Window.Request]
    }

    /// The newest transitions, at most `limit`.
    package func logs(limit: UInt32) throws(ForeignCoreError) -> ForeignJSON {
        try session.withLock { session throws(ForeignCoreError) in
            try session.read(session.library.logs(session.core, limit), "logs")
        }
    }
}
