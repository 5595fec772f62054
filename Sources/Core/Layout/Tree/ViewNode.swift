package import AppCore

/// One thing on the screen as a picture needs it, wherever the tree comes from.
///
/// Children stand in reading order.
package struct ViewNode: Sendable, Hashable, Identifiable {
    /// Part of a whole.
    package struct Progress: Sendable, Hashable, Codable {
        package var done: Int64
        package var total: Int64

        package init(done: Int64, total: Int64) {
            self.done = done
            self.total = total
        }

        /// 0 to 100, rounded down.
        package var percent: Int {
            guard total > 0, done > 0 else { return 0 }
            guard done < total else { return 100 }
            let product = done.multipliedFullWidth(by: 100)
            return Int(total.dividingFullWidth(product).quotient)
        }
    }

    package var id: String
    /// `screen`, `section`, `list`, `item`, `heading`, `text`, `banner`, `button`, `toggle`, `choice`, `text_field`,
    /// `secret_field`, `message`, `progress`, `status`, `cover`, and of the earlier simulator `text_input`,
    /// `message_list` and `composer`. Any other is drawn by what it has and offers.
    package var role: String
    package var label: String
    package var value: String?
    /// The state of the thing in words.
    package var detail: String?
    /// When it happened.
    package var at: Timestamp?
    package var progress: Progress?
    /// On which side of the talk a message is; `nil` for what is not a message.
    package var side: SemanticNode.Side?
    /// Whether it is there at all for the person: a hidden node has no place in the layout, and neither have its children.
    package var isVisible: Bool
    package var isEnabled: Bool
    package var isFocused: Bool
    package var isSelected: Bool
    package var isBusy: Bool
    /// What a screen reader says instead of the label.
    package var accessibilityLabel: String?
    /// What a screen reader says instead of the value.
    package var accessibilityValue: String?
    /// What can be done with it: `tap`, `set_text`, `type_text`, `set_secret`, `attach`, `scroll`, or a foreign name.
    package var actions: [String]
    package var children: [ViewNode]

    package init(
        _ role: String, _ id: String, _ label: String = "", value: String? = nil, detail: String? = nil,
        at: Timestamp? = nil, progress: Progress? = nil, side: SemanticNode.Side? = nil, isVisible: Bool = true,
        isEnabled: Bool = true, isFocused: Bool = false, isSelected: Bool = false, isBusy: Bool = false,
        accessibilityLabel: String? = nil, accessibilityValue: String? = nil, actions: [String] = [],
        _ children: [ViewNode] = []
    ) {
        self.id = id
        self.role = role
        self.label = label
        self.value = value
        self.detail = detail
        self.at = at
        self.progress = progress
        self.side = side
        self.isVisible = isVisible
        self.isEnabled = isEnabled
        self.isFocused = isFocused
        self.isSelected = isSelected
        self.isBusy = isBusy
        self.accessibilityLabel = accessibilityLabel
        self.accessibilityValue = accessibilityValue
        self.actions = actions
        self.children = children
    }

    /// Whether something other than scrolling can be done with it now.
    package var isActionable: Bool { isEnabled && actions.contains { $0 != "scroll" } }

    /// The node itself, or the first below it in reading order, with this id.
    package func find(_ id: String) -> ViewNode? {
        if self.id == id { return self }
        for child in children { if let match = child.find(id) { return match } }
        return nil
    }
}
