import AppCore

/// A name that a person gives to something.
enum WrittenName {
    /// A name of blanks, or of characters that nobody sees, would name nothing.
    static func check(_ name: String) throws(UsageError) {
        guard !name.withoutControls.allSatisfy(\.isWhitespace) else {
            throw UsageError("a name has at least one character that can be seen")
        }
    }

    /// An agent of this person must not look like one of somebody else.
    static func check(agent name: String) throws(UsageError) {
        try check(name)
        guard !name.contains("@") else {
            throw UsageError("\"\(name)\" has an @, which tells whose an agent of your circle is; leave it out")
        }
    }
}
