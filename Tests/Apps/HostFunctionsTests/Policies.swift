import HostFunctions

extension HTTPPolicy {
    static let anything = HTTPPolicy { _ in .anyAddress }
    static let publicOnly = HTTPPolicy { _ in .publicAddresses }
}
