internal import Components

/// Which names a search finds.
enum NameMatcher: Sendable {
    case exact(String)
    /// With wildcards. Capitals are not told from small letters.
    case pattern(RegularExpression)
    case expression(RegularExpression)

    init(_ criteria: FsProto.SelectRequestBody.SelectCriteria, at location: Location) throws(RuntimeException) {
        do throws(RegularExpression.Malformed) {
            if let name = criteria.exactName?.value {
                self = .exact(name)
            } else if let pattern = criteria.pattern?.value {
                self = .pattern(try RegularExpression(pattern: pattern.lowercased()))
            } else if let expression = criteria.regexp?.value {
                self = .expression(try RegularExpression(expression))
            } else {
                self = .expression(try RegularExpression(""))
            }
        } catch {
            throw .badArguments("what is searched for cannot be read: \(error.reason)", at: location.shown)
        }
    }

    /// - Parameter steps: grows by the work that this took.
    func matches(_ name: String, steps: inout Int) -> Bool {
        switch self {
        case .exact(let exact):
            steps += 1
            return exact == name
        case .pattern(let pattern): return pattern.matches(name.lowercased(), steps: &steps)
        case .expression(let expression): return expression.matches(name, steps: &steps)
        }
    }
}
