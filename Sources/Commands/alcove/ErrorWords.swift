import AppCore
import Catalogues
import Foundation
import Host

/// What an error says to a person. Printed as they are, errors of Foundation and of the core show their insides.
enum ErrorWords {
    /// What went wrong, as a sentence.
    static func sentence(_ error: any Error) -> String {
        switch error {
        case let failure as CommandFailure: return failure.explanation
        case let mistake as UsageError: return mistake.explanation
        // Where the core has no sentence of its own, the message is one.
        case let failure as Failure: return failure.code == .other ? failure.explanation : failure.sentence
        case let error as AttachError: return HostEnd.failure(error).explanation
        default:
            guard isOfFoundation(error) else { return "\(error)" }
            return [(error as? CocoaError)?.filePath, reason(error)].compactMap(\.self).joined(separator: ": ")
        }
    }

    /// Why a file or a folder could not be used, as a clause: `there is no such file or folder`.
    static func reason(_ error: any Error) -> String {
        if let number = systemNumber(of: error) { return reason(number: number) }
        return isOfFoundation(error) ? error.localizedDescription : sentence(error)
    }

    /// The same for a call of the system.
    static func reason(number: Int32) -> String {
        switch number {
        case ENOENT: "there is no such file or folder"
        case ENOTDIR: "a part of the path is a file, and no folder"
        case EISDIR: "it is a folder"
        case EEXIST: "a file of this name is there already"
        case EACCES, EPERM: "the system does not permit it"
        case EROFS: "the disk can only be read"
        case ENOSPC, EDQUOT: "the disk is full"
        default: String(cString: strerror(number))
        }
    }

    private static func isOfFoundation(_ error: any Error) -> Bool {
        [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains((error as NSError).domain)
    }

    /// What the system said, which Foundation puts inside of its own errors.
    private static func systemNumber(of error: any Error) -> Int32? {
        let known = error as NSError
        if known.domain == NSPOSIXErrorDomain { return Int32(exactly: known.code) }
        guard let cause = known.userInfo[NSUnderlyingErrorKey] as? any Error else { return nil }
        return systemNumber(of: cause)
    }
}

extension CommandFailure {
    /// That nothing can be written to a place, and why.
    init(writing path: String, _ error: any Error) {
        self.init("\(path) cannot be written: \(ErrorWords.reason(error))", .cannotCreate)
    }
}
