public import Apps
public import Components
public import HostFunctions
import Sandbox

/// How a host runs apps. Tests replace parts of it.
public struct AppsConfiguration: Sendable {
    /// Makes what components run behind.
    public var sandbox: @Sendable () throws(ComponentError) -> any ComponentSandbox = {
        () throws(ComponentError) in try ProcessSandbox()
    }
    public var settings = AppPlatform.Settings()
    /// Wakes apps while Alcove does not run; nil where nothing does.
    public var scheduler: (any WakeScheduler)?
    /// Opens a link outside.
    public var open: @Sendable (ExternalURL) async throws(NativeError) -> Void = {
        (url) async throws(NativeError) in try await SystemBrowser.open(url)
    }

    /// - Parameter profile: the folder of the profile, for what wakes its apps.
    public init(profile: String) { scheduler = SystemScheduler.waking(profile: profile) }
}
