package import Components
internal import Preloads

/// A script that goes ahead of a component's own code.
package struct PreloadScript: Hashable, Sendable {
    /// What stack traces call it.
    package var name: String
    package var source: String

    package init(name: String, source: String) {
        self.name = name
        self.source = source
    }
}

extension PreloadScript {
    /// Alcove's own, in the order in which they are evaluated.
    package static func standard(_ kind: ComponentLaunch.Kind) -> [PreloadScript] {
        let common = PreloadScript(name: "alcove:common-preload", source: Preload.common)
        return switch kind {
        case .app: [common, PreloadScript(name: "alcove:app-preload", source: Preload.app)]
        case .core: [common, PreloadScript(name: "alcove:core-load", source: Preload.core)]
        }
    }
}
