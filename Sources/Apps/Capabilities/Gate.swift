internal import Components
internal import Wire

/// What one component may do right now. Every function of a capability passes here on every call, so what a person takes back is
/// gone with the next call.
struct Gate: Sendable {
    let app: RunningApp
    let component: AppComponent

    /// What the component asked for and the person granted.
    var permissions: Permissions { component.requested.limited(to: app.grants) }

    /// - Throws: an exception for the app if the capability was not granted. The app's log says so.
    func check(_ capability: Capability) throws(RuntimeException) {
        guard permissions.contains(capability) else { throw deny(capability) }
    }

    /// The same for a part of a capability.
    func check(_ permission: Permission) throws(RuntimeException) {
        guard permissions.contains(permission.capability, permission.scope) else {
            throw deny(permission.capability, permission.scope.words)
        }
    }

    /// Makes the exception of a denial, and tells the log.
    func deny(_ capability: Capability, _ detail: String? = nil) -> RuntimeException {
        let what = detail.map { "\(capability.rawValue) (\($0))" } ?? capability.rawValue
        app.log.deny(what, from: component.entryPoint.text, lacking: capability)
        var fields: JSONObject = ["capability": .string(capability.rawValue)]
        if let detail { fields.append("detail", .string(detail)) }
        return RuntimeException(type: "capability", flag: "notGranted", fields)
    }
}
