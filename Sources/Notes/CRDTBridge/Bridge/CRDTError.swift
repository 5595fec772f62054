@_exported public import Errors
internal import ScriptEngine

/// Why something on a document came to nothing. The document is as it was before.
public typealias CRDTError = CodedError<CRDTErrorCode>

/// The codes of ``CRDTError``.
public enum CRDTErrorCode: String, ErrorCode {
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

extension CRDTError {
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
