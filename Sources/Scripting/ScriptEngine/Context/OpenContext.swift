/// A context until it is closed, for those whom it must not depend on.
///
/// Unchecked: what is in it is looked at, and taken out, on the thread of the script only.
final class OpenContext: @unchecked Sendable {
    var context: ScriptContext?
}
