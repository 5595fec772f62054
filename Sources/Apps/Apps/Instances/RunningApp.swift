internal import AppPacks
internal import Components
internal import Synchronization

/// What the running components of one app share.
final class RunningApp: Sendable {
    let installed: InstalledApp
    let log: AppLog
    let allowances: AppAllowances
    /// What all its components together may fill of this process' memory.
    let memory: MemoryBudget
    private let granted: Mutex<Grants>

    init(_ installed: InstalledApp, grants: Grants, log: AppLog, allowances: AppAllowances, memory: MemoryBudget) {
        self.memory = memory
        self.installed = installed
        self.log = log
        self.allowances = allowances
        granted = Mutex(grants)
    }

    var manifest: AppManifest { installed.manifest }

    var domain: AppDomain { manifest.domain }

    /// What the person has granted by now.
    var grants: Grants {
        get { granted.withLock { $0 } }
        set { granted.withLock { $0 = newValue } }
    }
}
