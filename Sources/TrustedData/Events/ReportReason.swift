/// Why somebody was blocked or reported, as Arkavo's data model names it. The raw values are its texts.
public enum ReportReason: String, Hashable, Sendable, CaseIterable, Codable {
    case spam = "Spam"
    case harassment = "Harassment"
    case hateSpeech = "Hate Speech"
    case violence = "Violence"
    case adultContent = "Adult Content"
    case copyrightViolation = "Copyright Violation"
    case privacyViolation = "Privacy Violation"
    case misinformation = "Misinformation"
    case other = "Other"
}

/// How bad it was.
public enum ReportSeverity: Int, Hashable, Sendable, CaseIterable, Codable {
    case low = 1
    case medium = 2
    case high = 3
}
