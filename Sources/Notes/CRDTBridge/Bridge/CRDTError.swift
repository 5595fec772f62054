internal import ScriptEngine

/// Why something on a document came to nothing. The document is as it was before.
public struct CRDTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Sendable {
        /// The document is not in memory: load it, then try again.
        case notLoaded
        /// An update of this document took too long; it is not touched again until it is released.
        case unusable
        /// The bytes are not an update, or one that cannot be part of this document.
        case damagedUpdate
        /// The update is larger than ``CRDTLimits/updateSize``.
        case tooLarge
        /// The document nests deeper than anything that a person writes.
        case tooDeep
        /// An edit that does not fit the document, which may have changed meanwhile.
        case misfit
        /// There is no comment, reply or folder with this id.
        case notFound
        /// A folder cannot be moved into itself.
        case wouldBeCycle
        /// The script engine failed.
        case failed
    }

    /// What went wrong, for code that decides.
    public let code: Code
    /// One sentence for a person.
    public let message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What a script threw: our own failures carry their code as a name.
    init(_ error: ScriptError) {
        let code: Code =
            switch error.name {
            case _ where error.kind == .timeout: .unusable
            case "damagedUpdate": .damagedUpdate
            case "tooDeep": .tooDeep
            case "noSuchPlace", "splitsPair", "badEmbed": .misfit
            case "notFound": .notFound
            default: .failed
            }
        self.init(code, error.message)
    }
}
