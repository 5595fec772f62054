/// A reference to a context until it is closed, for objects that must not keep it alive.
///
/// Unchecked: its content is used only on the thread of the script.
final class OpenContext: @unchecked Sendable {
    var context: ScriptContext?
}
