/// Something about a screen that shuts somebody out.
package struct Finding: Sendable, Hashable, Codable {
    package enum Rule: String, Sendable, Hashable, Codable, CaseIterable {
        case missingLabel = "missing_label"
        case duplicateID = "duplicate_id"
        case smallTarget = "small_target"
        case unreachable
        /// What looks usable and does nothing, or offers something and is not enabled.
        case enabledMismatch = "enabled_mismatch"
        case contrast
        case textOverflow = "text_overflow"
    }

    /// The id of the node.
    package let id: String
    package let rule: Rule
    /// What is wrong and what would be right. It quotes nothing that the node shows.
    package let explanation: String

    init(_ rule: Rule, _ id: String, _ explanation: String) {
        self.id = id
        self.rule = rule
        self.explanation = explanation
    }
}
