import AppPacks
import Apps
import Components

/// Apps as lines for a person, which may hold what their manifests say.
enum AppDescription {
    static func install(_ inspection: PackInspection) -> [String] {
        let manifest = inspection.manifest
        let step =
            switch inspection.step {
            case .new: "a new app"
            case .update(let from): "an update from \(from)"
            case .again: "the version that is installed"
            case .downgrade(let from): "older than \(from), which is installed"
            }
        var lines = [
            "\(manifest.name) \(manifest.version), \(step)",
            "  \(manifest.domain), \(inspection.fileCount) files, \((inspection.byteCount + 1023) / 1024) KiB",
        ]
        if !manifest.about.isEmpty { lines.append("  " + manifest.about) }
        lines += inspection.warnings.map { "  ! \($0)" }
        lines += inspection.notes.map { "  note: \($0)" }
        if inspection.newRequests.isEmpty {
            lines += ["", inspection.step == .new ? "It asks for nothing." : "It asks for nothing new."]
        } else {
            lines += ["", inspection.step == .new ? "It asks to:" : "It asks for more than before, to:"]
            lines += inspection.newRequests.flatMap { request($0, of: manifest) }
        }
        return lines
    }

    /// A request in plain words, with its name and what it covers.
    static func request(_ request: CapabilityRequest, of manifest: AppManifest, granted: Bool? = nil) -> [String] {
        let mark = granted.map { $0 ? "[x] " : "[ ] " } ?? (request.isSensitive(for: manifest.domain) ? "! " : "- ")
        let missing = request.capability.isServed ? "" : "  (not available yet)"
        return ["  \(mark)\(request.capability.words)  [\(request.capability.rawValue)]\(missing)"]
            + request.details.map { "        \($0)" }
    }

    static func app(_ app: InstalledApp, grants: Grants, running: [RunningInstance]) -> [String] {
        let manifest = app.manifest
        var lines = ["\(manifest.name) \(app.version)", "  domain      \(app.domain)"]
        if !manifest.about.isEmpty { lines.append("  about       \(manifest.about)") }
        for component in manifest.components {
            var facts = [component.runtime.rawValue]
            if manifest.startup.contains(component.entryPoint) { facts.append("starts with the system") }
            if !component.services.isEmpty {
                facts.append("serves \(component.services.keys.sorted().joined(separator: ", "))")
            }
            if !component.commands.isEmpty {
                facts.append("takes \(component.commands.keys.sorted().joined(separator: ", "))")
            }
            lines.append("  component   \(component.entryPoint)  \(facts.joined(separator: "; "))")
        }
        for instance in running {
            lines.append("  running     \(instance.entrypoint)  \(state(instance.state)), \(instance.memory >> 20) MiB")
        }
        lines.append("  permissions")
        lines += manifest.requests.flatMap {
            request($0, of: manifest, granted: isGranted($0, in: grants)).map { "  " + $0 }
        }
        return lines
    }

    static func isGranted(_ request: CapabilityRequest, in grants: Grants) -> Bool {
        request.permissions.allSatisfy(grants.contains)
    }

    static func state(_ state: InstanceState) -> String {
        switch state {
        case .starting: "starting"
        case .running: "running"
        case .stopping: "stopping"
        case .waiting(let crashes): "crashed \(crashes) times, starts again soon"
        case .ended: "ended"
        }
    }
}
