/// What one input led to.
///
/// The host does three things with it, in this order: it saves `changes`, it carries out `effects`, it draws the
/// new tree. The order matters: a message is acknowledged to its sender by an effect, hence after it was saved.
public struct Outcome: Sendable, Hashable, Codable {
    /// Work for the host, in order. Each is answered by one event that carries its id.
    public var effects: [Effect] = []
    /// Records whose saved form is out of date: see ``Core/record(for:)``. No key occurs twice.
    public var changes: [RecordKey] = []
    /// Records that could not be read (only after an action that brings records). They are left as they are.
    public var unreadable: [RecordKey] = []

    public init() {}
}
