package import AppCore
import Notifications
package import Sealing

/// A host of which an ``AttachServer`` lends views: that of a profile, or one of a world that is only played.
package protocol AttachedHost: ProfileHost {
    /// One step, in a view.
    /// - Parameter fresh: ids that a client made, so that what it sends again happens once; `nil` has the host make them.
    func dispatch(_ action: Action, in view: ViewID?, fresh: Fresh?) async
    /// What is on the screen of a view now; `nil` if it is not open.
    func tree(for view: ViewID, windows: [String: Window.Request]) async -> SemanticNode?
    /// What a view offers at a node now, behind its cover too; `nil` if that is gone.
    func offer(_ verb: Offer.Verb, at node: String, in view: ViewID, windows: [String: Window.Request]) async -> Offer?
    /// Whether the disk has all that happened.
    var isSaved: Bool { get async }
    /// Opens a sealed file whose key stays until ``finishOpening(_:)``.
    func beginOpening(_ bytes: [UInt8]) async throws -> OpenedMessage
    /// Destroys the key of a file whose content is where it is wanted.
    func finishOpening(_ opened: OpenedMessage) async throws
    /// How notifications on the desktop stand, in one word of `docs/protocols/host-socket.md`; `nil` if there are none.
    nonisolated var notificationState: String? { get }
    /// What a message's file is called, and where it lies; `nil` if the state names none, or the profile is locked.
    func keptFile(of message: MessageID, in room: RoomID) async -> KeptFile?
    /// An archive of the profile that a view shows, by what it calls it; `nil` if none does.
    func archive(_ handle: String) async -> KeptFile?
    /// Removes secrets that a client gave and nothing refers to.
    func forget(unused secrets: Set<SecretRef>) async
    /// Removes archives that no view shows.
    func tidyArchives() async
    /// Whether a message uses the file that a page gave for it.
    func usesGivenFile(_ message: MessageID, in room: RoomID) async -> Bool
    /// The folder of received and sent files.
    nonisolated var filesFolder: String { get }
    /// Who lends documents of notes; `nil` if notes are written as Markdown alone.
    nonisolated var lender: AppHost? { get }
}

extension AppHost {
    package func forget(unused secrets: Set<SecretRef>) async {
        // What cannot be removed now stays on the disk, sealed.
        if !secrets.isEmpty { try? profile.forget(secrets: Array(secrets)) }
    }
}

extension AttachedHost {
    func dispatch(_ action: Action, in view: ViewID?) async { await dispatch(action, in: view, fresh: nil) }
}

extension AppHost: AttachedHost {
    package nonisolated var notificationState: String? { notifications?.state.rawValue }
    package nonisolated var lender: AppHost? { self }
}
