#if os(Linux)
/// What every sandbox of ours has in common: bubblewrap, and the name spaces that it makes.
package enum Bubblewrap {
    /// The path of `bwrap`; nil if it is not installed.
    package static var path: String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/bwrap" }.first { access($0, X_OK) == 0 }
    }

    /// The first of its arguments: name spaces of their own for everything, the network included, no capabilities, no terminal to type into,
    /// and an end with the process that started it.
    package static let isolation = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
}
#endif
