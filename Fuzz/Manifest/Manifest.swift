import Components
import Wire

/// Reads any bytes as a manifest. What is accepted keeps its promises: entry points differ, and what is granted is what was asked.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let manifest = try? AppManifest(decoding: UnsafeBufferPointer(start: start, count: count)) else { return 0 }
    precondition(Set(manifest.components.map(\.entryPoint)).count == manifest.components.count)
    precondition(manifest.domain == AppDomain(reversed: manifest.domain.reversed) && !manifest.domain.isReserved)
    for device in FormFactor.allCases {
        if let entryPoint = manifest.entryPoint(on: device) { precondition(manifest.component(entryPoint) != nil) }
    }
    let requests = manifest.requests
    for component in manifest.components {
        let grants = Grants(component.requested.all)
        guard let json = try? JSONValue(grants.json.text.utf8) else { preconditionFailure("grants are no JSON") }
        precondition(Grants(json: json) == grants)
        precondition(component.requested.limited(to: grants) == component.requested)
        precondition(component.requested.limited(to: Grants()).isEmpty)
        for permission in component.requested.all {
            precondition(requests.contains { $0.permissions.contains(permission) })
            if case .folder(let domain) = permission.scope { precondition(domain.isWithin(manifest.domain)) }
        }
    }
    return 0
}
