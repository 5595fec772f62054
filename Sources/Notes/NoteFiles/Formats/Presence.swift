package import Wire

/// Who writes here, for the names of devices and for mentions: `profiles/{profile}.json`.
package struct Presence: Hashable, Sendable {
    package var profile: WriterID
    package var instance: WriterID
    package var profileName: String
    /// The handle, such as `anna`.
    package var user: String
    /// The name that is shown.
    package var username: String
    package var hostname: String
    /// `linux`, `darwin`, `win32` or `ios`.
    package var platform: String
    package var appVersion: String
    /// Milliseconds since 1970.
    package var lastUpdated: Int64

    static let byteLimit = 64 << 10

    package init(
        profile: WriterID, instance: WriterID, profileName: String, user: String, username: String, hostname: String,
        platform: String, appVersion: String, lastUpdated: Int64
    ) {
        self.profile = profile
        self.instance = instance
        self.profileName = profileName
        self.user = user
        self.username = username
        self.hostname = hostname
        self.platform = platform
        self.appVersion = appVersion
        self.lastUpdated = lastUpdated
    }

    /// Fields other than the profile may be missing.
    package init(_ bytes: [UInt8]) throws(WireError) {
        guard let object = (try? JSONValue(bytes))?.object, let text = object["profileId"]?.string,
            let profile = try? WriterID(text)
        else { throw WireError(.malformed, "it says of no profile who that is") }
        func string(_ name: String) -> String { object[name]?.string ?? "" }
        // JavaScript may write a whole number in another way.
        let updated: Double = if case .number(let number) = object["lastUpdated"] { Double(number) ?? 0 } else { 0 }
        self.init(
            profile: profile, instance: (try? WriterID(string("instanceId"))) ?? profile,
            profileName: string("profileName"),
            user: string("user"), username: string("username"), hostname: string("hostname"),
            platform: string("platform"),
            appVersion: string("appVersion"), lastUpdated: Int64(exactly: updated.rounded()) ?? 0)
    }

    /// JSON as JavaScript prints it with an indentation of two.
    package var bytes: [UInt8] {
        let members: [(String, JSONValue)] = [
            ("profileId", .string(profile.text)), ("instanceId", .string(instance.text)),
            ("profileName", .string(profileName)), ("user", .string(user)), ("username", .string(username)),
            ("hostname", .string(hostname)), ("platform", .string(platform)), ("appVersion", .string(appVersion)),
            ("lastUpdated", .number(String(lastUpdated))),
        ]
        let lines = members.map { "  \"\($0.0)\": \($0.1.text)" }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}".utf8)
    }
}
