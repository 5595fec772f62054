package import Wire

/// The arguments of a call, each looked at before it is used.
package struct MCPArguments: Sendable, Hashable {
    /// Why a call cannot be done, in words for a model.
    package struct Mistake: Error, Hashable { package let words: String }

    private let object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// Throws unless all names are among these.
    package func check(only names: String...) throws(Mistake) {
        guard let other = object.members.map(\.name).first(where: { !names.contains($0) }) else { return }
        throw Mistake(words: "there is no argument \(other.prefix(64)); there is: \(names.joined(separator: ", "))")
    }

    /// A text that has to be there.
    /// - Parameter limit: bytes of UTF-8.
    package func text(_ name: String, atMost limit: Int) throws(Mistake) -> String {
        guard let text = try optionalText(name, atMost: limit), !text.isEmpty else {
            throw Mistake(words: "the argument \(name) is missing")
        }
        return text
    }

    /// A text that may be there.
    package func optionalText(_ name: String, atMost limit: Int) throws(Mistake) -> String? {
        guard object.has(name) else { return nil }
        guard let text = object.string(name) else { throw Mistake(words: "the argument \(name) has to be a text") }
        guard text.utf8.count <= limit else {
            throw Mistake(words: "the argument \(name) has more than \(limit) bytes")
        }
        return text
    }

    /// A whole number that may be there.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(Mistake) -> Int? {
        guard object.has(name) else { return nil }
        guard let number = object.count(name), range.contains(number) else {
            throw Mistake(
                words: "the argument \(name) has to be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A list of texts; empty if it is not there.
    /// - Parameters:
    ///   - count: how many there may be.
    ///   - limit: bytes of all together.
    package func texts(_ name: String, atMost count: Int, bytes limit: Int) throws(Mistake) -> [String] {
        guard object.has(name) else { return [] }
        let texts = object.array(name).compactMap(\.string)
        guard case .array(let elements)? = object[name], elements.count == texts.count, texts.count <= count,
            texts.reduce(0, { $0 + $1.utf8.count }) <= limit
        else { throw Mistake(words: "the argument \(name) has to be a list of at most \(count) texts, \(limit) bytes") }
        return texts
    }
}
