package import AppCore
package import Cryptography
import Foundation
import HostFunctions
package import Notifications
package import Rooms

/// How a host is set up.
package struct HostConfiguration: Sendable {
    /// The folder of the profile; made if it is missing.
    package var profile: String
    package var network: RoomsNetwork
    /// Where received files go; by default `Files` in the profile.
    package var filesFolder: String
    /// The folder of the notes, which may be synced; by default `Notes` in the profile.
    package var notesFolder: String
    /// The name that others see beside what this person writes in notes, unless the profile's settings have one.
    package var person: String
    /// A file to which every input of the core is written, for replay. It holds what people say: it is off by default.
    package var recording: String?
    package var apps: AppsConfiguration
    /// A library to carry as the core instead of the built-in one: see `docs/c-abi.md`.
    package var core: String?
    /// Shows a file in the program that the person has for it; false if that cannot be done. Replaced in tests.
    package var show: @Sendable (_ path: String) -> Bool = { SystemBrowser.open(file: $0) }
    /// Opens a window of the page; false if that cannot be done, `nil` if there is no page.
    package var openPage: (@Sendable () -> Bool)?
    /// Tells the person of new messages outside; `nil` for nowhere.
    package var notifications: (any NotificationService)?
    /// A program that is a supervisor of agents when it is called so, so that they go on when this process ends in the middle of a turn; `nil`: agents
    /// run in this process, and end with it.
    package var supervisor: String?
    /// Opens the profile: what ``AppHost/handedOverKey`` was in the process that had it before.
    package var handedOverKey: SecretBytes?
    /// How many of the newest messages of a room are in memory; `nil` for all. A core in a library has all.
    package var recentMessages: Int? = Profile.recentMessages
    /// Hears how many messages of an older profile have been moved, and of how many; see ``Profile/moveMessages(tell:)``.
    package var tellOfMove: (@Sendable (_ done: Int, _ all: Int) -> Void)?
    /// The language of the system, a tag (BCP 47): notifications speak it unless the profile's settings have another one.
    package var language = "en"
    /// Milliseconds since 1970; replaced in tests.
    package var clock: @Sendable () -> Timestamp

    package init(
        profile: String,
        network: RoomsNetwork = RoomsNetwork(),
        filesFolder: String? = nil,
        notesFolder: String? = nil,
        person: String = Self.loginName,
        recording: String? = nil,
        core: String? = nil,
        apps: AppsConfiguration? = nil,
        handedOverKey: SecretBytes? = nil,
        clock: @escaping @Sendable () -> Timestamp = Self.systemClock
    ) {
        self.profile = profile
        self.network = network
        self.filesFolder = filesFolder ?? profile + "/Files"
        self.notesFolder = notesFolder ?? ProfileDirectory.notesFolder(of: profile)
        self.person = person
        self.recording = recording
        self.core = core
        self.apps = apps ?? AppsConfiguration(profile: profile)
        self.handedOverKey = handedOverKey
        self.clock = clock
    }

    /// What the system calls the person.
    package static var loginName: String { NSUserName() }

    @Sendable package static func systemClock() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
