internal import Components
internal import HostFunctions
internal import Networking

/// `w3n.shell.openURL(url)`: links that are opened outside. The program that shows apps opens them, or asks the person first.
enum LinkCapability {
    static func openURL(_ subject: CapabilitySubject) -> ServiceFunction {
        .immediateValues { arguments, _ throws(RuntimeException) in
            try subject.access.check(.openURL)
            guard let url = ExternalURL(try arguments.argument(0, \.string)) else { throw exception("notSupported") }
            guard isGranted(url, subject.access.permissions) else { throw subject.access.deny(.openURL, url.text) }
            guard subject.app.allowances.takeLink() else {
                subject.app.log.write(.warning, from: subject.entryPoint, "too many links: \(url) was not opened")
                throw exception("tooMany")
            }
            subject.app.log.write(.info, from: subject.entryPoint, "opens \(url)")
            subject.platform.fan.tell(
                .asksURL(app: subject.app.domain, name: subject.app.manifest.name, url: url))
            return nil
        }
    }

    private static func exception(_ flag: String) -> RuntimeException {
        RuntimeException(type: "shell-open-url", flag: flag)
    }

    private static func isGranted(_ url: ExternalURL, _ granted: Permissions) -> Bool {
        guard let page = try? WebURL(url.text) else { return granted.contains(.openURL, .mailAddresses) }
        return switch granted.addresses(of: .openURL).decision(on: page) {
        case .anyAddress: true
        case .publicAddresses: !url.isNearby
        case .denied: false
        }
    }
}

extension [AddressPattern] {
    /// Which addresses a page may have if these were granted: any, if it was named, otherwise those of the internet.
    func decision(on url: WebURL) -> HTTPPolicy.Decision {
        guard let scheme = AddressPattern.Scheme(rawValue: url.scheme) else { return .denied }
        let fitting = filter {
            $0.matches(scheme: scheme, host: url.host, port: UInt16(clamping: url.port), path: url.target)
        }
        if fitting.contains(where: { $0.hosts != .any }) { return .anyAddress }
        return fitting.isEmpty ? .denied : .publicAddresses
    }
}
