/// Looks for what shuts people out: those who do not see, who cannot point exactly, who see little, and tests.
package enum Lint {
    /// All findings, by rule and in reading order; empty if all is well.
    package static func findings(in layout: Layout) -> [Finding] {
        labels(layout.frames) + ids(layout.root) + targets(layout.frames) + reach(layout) + mismatches(layout.root)
            + texts(of: layout)
    }

    /// What a screen reader would say nothing for.
    static func labels(_ frames: [Layout.Frame]) -> [Finding] {
        frames.filter { needsLabel($0.node) && !hasLabel($0.node) }.map { frame in
            Finding(
                .missingLabel, frame.id, "A screen reader has nothing to say here. Give the \(frame.node.role) a label."
            )
        }
    }

    private static func needsLabel(_ node: ViewNode) -> Bool {
        node.isActionable || node.children.isEmpty && !["list", "section", "message_list"].contains(node.role)
    }

    private static func hasLabel(_ node: ViewNode) -> Bool {
        var words = [node.accessibilityLabel ?? node.label]
        // What is entered into a field does not say what the field is.
        if !node.isActionable || ["message", "text", "status", "heading"].contains(node.role) {
            words += [node.accessibilityValue, node.value].compactMap(\.self)
        }
        return words.contains { $0.contains { Advances.of($0) > 0 && !$0.isWhitespace } }
    }

    static func ids(_ root: ViewNode) -> [Finding] {
        var seen: Set<String> = []
        var findings: [Finding] = []
        visit(root) { node, _ in
            if node.id.isEmpty {
                findings.append(
                    Finding(.duplicateID, node.id, "A \(node.role) has an empty id. Give it one of its own."))
            } else if !seen.insert(node.id).inserted {
                let explanation = "Another node has this id, so this one cannot be named. Give it one of its own."
                findings.append(Finding(.duplicateID, node.id, explanation))
            }
        }
        return findings
    }

    static func targets(_ frames: [Layout.Frame]) -> [Finding] {
        let least = Forms.touchTarget
        return frames.filter { $0.node.isActionable && min($0.bounds.width, $0.bounds.height) < least }.map { frame in
            let size = "\(frame.bounds.width) × \(frame.bounds.height)"
            return Finding(.smallTarget, frame.id, "It is \(size) points. A finger needs \(least) × \(least).")
        }
    }

    static func mismatches(_ root: ViewNode) -> [Finding] {
        var findings: [Finding] = []
        visit(root) { node, _ in
            if !node.isEnabled, !node.actions.isEmpty {
                let explanation =
                    "It offers \(node.actions.count) actions and is not enabled. Enable it, or offer nothing."
                findings.append(Finding(.enabledMismatch, node.id, explanation))
            }
            if looksUsable(node), !node.isActionable {
                let explanation = "It looks usable and does nothing. Let it offer something, or disable it."
                findings.append(Finding(.enabledMismatch, node.id, explanation))
            }
        }
        return findings
    }

    private static func looksUsable(_ node: ViewNode) -> Bool {
        let roles = ["button", "toggle", "choice", "text_field", "text_input", "secret_field"]
        // The choice that is made, and what is at work, need do nothing.
        return node.isVisible && node.isEnabled && !node.isBusy && roles.contains(node.role)
            && !(node.role == "choice" && node.isSelected)
    }

    /// Calls `body` with every node, in reading order, and whether it is visible with all around it.
    static func visit(_ node: ViewNode, isReached: Bool = true, _ body: (ViewNode, Bool) -> Void) {
        let isReached = isReached && node.isVisible
        body(node, isReached)
        for child in node.children { visit(child, isReached: isReached, body) }
    }
}
