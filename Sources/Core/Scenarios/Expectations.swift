package import AppCore
import Catalogues

/// What a scenario expects of the screen on which it ends.
package struct Expectations: Sendable, Hashable, Codable {
    /// The id of the tree's root.
    package var screen: String?
    /// Texts that the person reads somewhere.
    package var shows: [String]?
    /// Texts that appear nowhere.
    package var hides: [String]?
    /// Nodes that are there and can be used; ids may hold references.
    package var enabled: [String]?
    /// Nodes that are there and cannot be used.
    package var disabled: [String]?
    /// Types of the effects that are open.
    package var waits: [String]?

    package init() {}

    /// What does not hold, in words; empty if everything does.
    package func broken(in driver: CoreDriver) -> [String] {
        let tree = driver.core.tree
        let texts = tree.texts
        var broken: [String] = []
        if let screen, tree.id != screen { broken.append("the screen is \(tree.id), not \(screen)") }
        for text in shows ?? [] where !texts.contains(where: { $0.contains(text) }) {
            broken.append("nothing shows \"\(text)\"")
        }
        for text in hides ?? [] where texts.contains(where: { $0.contains(text) }) {
            broken.append("something shows \"\(text)\"")
        }
        for (ids, isEnabled) in [(enabled ?? [], true), (disabled ?? [], false)] {
            for id in ids {
                let node = tree.find(References(driver).replaced(in: id))
                if node?.isEnabled != isEnabled {
                    broken.append("\(id) is \(node == nil ? "not there" : isEnabled ? "disabled" : "enabled")")
                }
            }
        }
        let open = Set(driver.openEffects.map(\.type))
        for type in waits ?? [] where !open.contains(type) { broken.append("no effect \(type) is open") }
        return broken
    }
}

extension SemanticNode {
    /// Everything that is written on the screen, from top to bottom.
    var texts: [String] {
        var texts = [label.english, detail?.english ?? ""]
        switch value {
        case .text(let text): texts.append(text)
        case .words(let words): texts.append(words.english)
        case .count(let count): texts.append("\(count)")
        case .secret, .time, .progress, nil: break
        }
        return texts.filter { !$0.isEmpty } + children.flatMap(\.texts)
    }
}
