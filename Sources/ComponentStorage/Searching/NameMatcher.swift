internal import Components

/// Which names a search finds.
enum NameMatcher: Sendable {
    case exact(String)
    case expression(RegularExpression)

    init(_ criteria: FsProto.SelectRequestBody.SelectCriteria, at location: Location) throws(RuntimeException) {
        do throws(RegularExpression.Malformed) {
            if let name = criteria.exactName?.value {
                self = .exact(name)
            } else if let pattern = criteria.pattern?.value {
                self = .expression(try RegularExpression(pattern: pattern))
            } else if let expression = criteria.regexp?.value {
                self = .expression(try RegularExpression(expression))
            } else {
                self = .expression(try RegularExpression(""))
            }
        } catch {
            throw .badArguments("what is searched for cannot be read: \(error.reason)", at: location.shown)
        }
    }

    func matches(_ name: String) -> Bool {
        switch self {
        case .exact(let exact): exact == name
        case .expression(let expression): expression.matches(name)
        }
    }
}

extension RegularExpression {
    /// A pattern of the whole name: `*` stands for any characters, `?` for one, and everything else for itself.
    init(pattern: String) throws(Malformed) {
        var expression = "^"
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "*": expression += ".*"
            case "?": expression += "."
            case _ where Self.special.contains(scalar): expression += "\\" + String(scalar)
            default: expression += String(scalar)
            }
        }
        try self.init(expression + "$")
    }

    private static let special = Set("\\^$.*+?()[]{}|/".unicodeScalars)
}
