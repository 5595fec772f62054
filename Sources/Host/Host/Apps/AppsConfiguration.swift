package import Apps
package import Components
package import HostFunctions
import Sandbox

/// How a host runs apps. Tests replace parts of it.
package struct AppsConfiguration: Sendable {
    /// Makes what components run behind.
    package var sandbox: @Sendable () throws(ComponentError) -> any ComponentSandbox = {
        () throws(ComponentError) in try ProcessSandbox()
    }
    package var settings = AppPlatform.Settings()
    /// Wakes apps while Alcove does not run; nil where nothing does.
    package var scheduler: (any WakeScheduler)?
    /// Opens a link outside.
    package var open: @Sendable (ExternalURL) async throws(NativeError) -> Void = {
        (url) async throws(NativeError) in try await SystemBrowser.open(url)
    }

    /// - Parameter profile: the folder of the profile, for what wakes its apps.
    package init(profile: String) { scheduler = SystemScheduler.waking(profile: profile) }
}
