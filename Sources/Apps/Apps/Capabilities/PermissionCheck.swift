internal import Components
internal import Wire

/// What one component may do right now. Functions that give something, such as a folder, a connection or an answer, ask here when they
/// are called.
///
/// What they gave before does not ask again: the platform closes open folders and connections when a grant is taken back. What every
/// component has, such as its version or the command it was started with, never asks.
struct PermissionCheck: Sendable {
    let app: RunningApp
    let component: AppComponent
    /// Where who runs the component reads what it lacks.
    let transcript: Transcript

    /// What the component asked for and the person granted.
    var permissions: Permissions { component.requested.limited(to: app.grants) }

    /// - Throws: an exception for the app if the capability was not granted. The app's log says so.
    func check(_ capability: Capability) throws(RuntimeException) {
        guard permissions.contains(capability) else { throw deny(capability) }
    }

    /// The same for a part of a capability.
    func check(_ permission: Permission) throws(RuntimeException) {
        guard permissions.contains(permission.capability, permission.scope) else {
            throw deny(permission)
        }
    }

    /// Makes the exception of a denial of a part of a capability.
    func deny(_ permission: Permission) -> RuntimeException {
        switch permission.scope {
        case .whole: deny(permission.capability)
        case .named(let name, let app): deny(permission.capability, app.map { "\(name) of \($0)" } ?? name)
        default: deny(permission.capability, permission.scope.text)
        }
    }

    /// Makes the exception of a denial, and tells the log and, once for each capability and reason, who runs the component.
    /// - Parameters:
    ///   - detail: what of the capability.
    ///   - reason: what is missing, with the next step; nil for the grant of the capability.
    func deny(_ capability: Capability, _ detail: String? = nil, because reason: String? = nil) -> RuntimeException {
        let what = detail.map { "\(capability.rawValue) (\($0))" } ?? capability.rawValue
        let reason = reason ?? lack(of: capability)
        app.log.deny("\(what); \(reason)", from: component.entryPoint.text, lacking: capability)
        transcript.printOnce(
            PrintedLine(level: .warning, text: "denied: \(what); \(reason)"), for: "\(capability.rawValue) \(reason)")
        var fields: JSONObject = ["capability": .string(capability.rawValue)]
        if let detail { fields.append("detail", .string(detail)) }
        fields.append("message", .string("denied: \(what)"))
        return RuntimeException(type: "capability", flag: "notGranted", fields)
    }

    private func lack(of capability: Capability) -> String {
        guard component.requested.contains(capability) else {
            return "\(component.entryPoint) does not ask for it in the manifest"
        }
        guard !permissions.contains(capability) else { return "it asked for less in the manifest" }
        return "to grant it: alcove app permissions \(app.domain) --grant \(capability.rawValue)"
    }
}
