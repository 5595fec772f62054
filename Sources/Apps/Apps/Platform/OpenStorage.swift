internal import ComponentStorage
internal import Components

/// A storage that is open for an app.
struct OpenStorage {
    let root: StorageRoot
    /// Whose files these are: the app's own, or another one's that lends them; nil for those of all apps.
    let owner: AppDomain?
}
