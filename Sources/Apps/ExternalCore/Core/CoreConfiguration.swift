package import Components
internal import Foundation
package import HostFunctions
package import Networking

/// What a core is given.
package struct CoreConfiguration: Sendable {
    /// The folder that its files are confined to. It exists.
    package var dataFolder: String
    /// Where the keys of this device are.
    package var keys: any DeviceKeys
    package var actions: HostActions
    package var assets = HostAssets(packs: nil, apps: nil)
    /// Which URLs it may ask for.
    package var policy = HTTPPolicy.secureWeb
    package var trust = TLSTrust.system
    /// How long the core may take to answer a call of its host.
    package var patience = Duration.seconds(30)
    package var limits: ComponentLimits = {
        var limits = ComponentLimits()
        // As much as on the platform's phones.
        limits.memory = 1 << 30
        // Loading five megabytes of script without JIT takes a while.
        limits.turn = .seconds(30)
        limits.silence = .seconds(90)
        return limits
    }()

    package init(dataFolder: String, keys: any DeviceKeys, actions: HostActions) {
        self.dataFolder = dataFolder
        self.keys = keys
        self.actions = actions
    }
    /// A core with a folder of its own, with its files and the keys of this device. What concerns windows and components is the
    /// session's.
    /// - Parameters:
    ///   - folder: is made if it is missing.
    ///   - exit: called when someone signs out.
    package init(
        folder: String, showError: @escaping @Sendable (_ title: String, _ content: String) -> Void,
        exit: @escaping @Sendable () -> Void
    ) throws(CoreError) {
        for part in ["files", "keys"] {
            do {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(part)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw CoreError(.failed, "cannot make \(folder)/\(part): \(error.localizedDescription)")
            }
        }
        self.init(
            dataFolder: folder + "/files", keys: KeyFiles(folder: folder + "/keys", vault: nil),
            actions: HostActions(
                showComponent: { _ in }, closeComponent: { _ in }, focusComponent: { _ in }, startComponent: { _ in },
                showError: showError, exit: exit))
    }
}
