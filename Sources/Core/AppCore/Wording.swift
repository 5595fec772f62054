/// Every sentence that tells a person what went wrong and what to do about it.
enum Wording {
    static let expiryInvalid = "Choose how long the code is valid: 1 minute, 5 minutes, 1 hour, 12 hours or 24 hours."
    static let codeInvalid = "A code begins with six digits, like 482913-maple-otter. Check it and try again."
    static let tooManyRooms = "There are \(RoomLimits.rooms) rooms. Delete one that you no longer need, then try again."
    static let tooManyPending =
        "\(RoomLimits.pendingMessages) messages wait for the other person. Wait until they are connected."
    static let oldestGone =
        "The oldest messages of this room are gone: it keeps the newest \(RoomLimits.messages), and"
        + " \(RoomLimits.savedBytes >> 20) MiB of text."
    static let textTooLong = "This message is longer than 64 KiB. Send it in parts, or as a file."
    static let nothingToSeal = "There is nothing to seal: the message is empty."
    static let locationInvalid = "This is not a place on Earth. Check the coordinates."
    static let serverInvalid = "Enter the server as http://HOST:PORT or https://HOST."
    static let iceServerInvalid =
        "A STUN or TURN server looks like stun:HOST:PORT or turn:HOST:PORT; at most 16 can be set."
    static let noPassphrase = "Set a passphrase first: without one there is nothing to lock with."
    static let currentPassphraseNeeded = "Enter the present passphrase too."
    static let passphraseSet = "The passphrase is set. Nobody can restore it for you."
    static let passphraseRemoved = "The passphrase is removed."
    static let nothingToRemove = "There is no passphrase to remove."
    static let erasing = "Everything is being erased. Wait a moment, then make a new room."
    static let diskFull = "The disk is full. Make room, then try again."
    static let erased = "Everything is erased."
    static let lifetimeDeclined = "The other person wants to keep the present lifetime."
    static let trustTooEarly =
        "Connect and verify each other first: by the words of the code, or by comparing the safety number."
    static let trustNotDelivered = "Your trust did not reach the other person. Connect, then say it again."
    static let circleFull = "There are \(CircleLimits.tombstones) ended trusts. Erase everything to begin anew."
    static let tooManyNotes = "There are \(NotebookLimits.notes) notes. Delete some for good, then try again."
    static let tooManyFolders = "There are \(NotebookLimits.folders) folders. Delete one, then try again."
    static let tooManyDrafts =
        "\(NotebookLimits.drafts) notes have changes that are not saved. Open them, and save or discard what you wrote."
    static let tooManySharedNotes =
        "You share \(NotebookLimits.sharedNotes) notes here. Stop sharing one, then try again."
    static let appendUncertain =
        "Alcove ended while a paragraph was being added to a note. Look whether it is there, or add it again."
    static let installationUnderWay = "Another app is being installed. Answer what it asks, or wait for it."
    static let installationAsks = "An app waits to be installed. Open the apps to see what it asks for."
    static let parametersTooLong = "A command takes words of 8 KiB altogether. Use fewer of them."
    static let emptyNotification = "It calls for you."
    static let unverified =
        "Not verified: nobody has proved the words of the code. Compare the safety number before you say anything secret."

    /// Nothing new can be saved.
    static func storage(_ failure: Failure) -> String {
        failure.code == .diskFull
            ? "The disk is full, so nothing new can be kept and nothing can be sent. Make room; it goes on by itself."
            : "The profile cannot be written, so nothing new can be kept and nothing can be sent. Check its disk; it goes"
                + " on by itself."
    }

    static func sentence(for failure: Failure) -> String {
        let wait = failure.wait.map { " Try again in \(duration(milliseconds: $0))." }
        switch failure.code {
        case .serverUnreachable where failure.place == nil:
            return "The server cannot be reached. Check the connection and the server's address in the settings."
        case .serverError:
            return "\(failure.place.map { "The server at \($0)" } ?? "The server") had a problem."
                + (wait ?? " Try again in a moment.")
        case .codeUnknown:
            return "No room waits under this code: it is mistyped, has run out, or was used. Ask for a new one."
        case .codeExpired: return "The code ran out before anybody came. Create a new room."
        case .codeSpent: return "This code has been used up. Ask for a new one."
        case .roomGone: return "The server no longer knows this room. Create a new one."
        case .roomFull: return "Two people are in this room already. Ask for a new code."
        case .tooManyAttempts: return "Too many attempts." + (wait ?? " Wait a while, then try again.")
        case .wordsMismatch:
            return "The words did not match, so nothing was sent. This code is spent: create a new room and pass its"
                + " code on by a way you trust."
        case .peerTimeout: return "The other person's machine did not answer. It is tried again."
        case .peerGone: return "The other person deleted this room. Create a new one to talk again."
        default:
            return pathSentence(for: failure) ?? sealedSentence(for: failure.code) ?? noteSentence(for: failure.code)
                ?? appSentence(for: failure.code) ?? localSentence(for: failure.code, wait: wait)
        }
    }

    /// What keys and trust have to do with.
    private static func sealedSentence(for code: Failure.Code) -> String? {
        switch code {
        case .trustRevoked:
            "The trust between you has ended, and the keys are destroyed. To talk again, meet in a new room and verify each"
                + " other there."
        case .identityChanged:
            "The other machine is not the one you trust, so nothing was said to it. Ask the other person; if theirs is"
                + " new, end the trust and meet in a new room."
        case .noKeys:
            "There is no key to seal with yet, or the time of those that came is over by this machine's clock. Connect once,"
                + " so that keys arrive, then try again."
        case .forged: "A message was not from this person, and was not opened. Ask whether they sent one."
        case .replayed: "This was opened before, and cannot be opened again. What a message said is in its room."
        case .keyReused:
            "A message was sealed with a key that another message had used already: the other person's machine went back to"
                + " an older copy of its profile. In a room it is asked for again. If it was carried by hand, connect once,"
                + " and ask the other person to seal it again."
        case .unknownKey: "The key of a message is no longer here. Ask the other person to send it again."
        case .unreadable: "What came is not a sealed message, or was damaged. Ask the other person to send it again."
        default: nil
        }
    }

    /// What notes and their folder have to do with.
    private static func noteSentence(for code: Failure.Code) -> String? {
        switch code {
        case .noteUnknown: "This note is gone: somebody deleted it for good. What you wrote can become a new note."
        case .noteUnreadable:
            "The files of this note are damaged, or have not come completely. Wait until they are synced, or check them"
                + " with `alcove note verify`."
        case .noteTooLarge: "This note is too large to be edited here. Use `alcove note edit`, or divide it."
        case .noteFolderUnknown: "This folder is gone. Choose another one."
        case .folderUnavailable:
            "The notes cannot be opened. Check that their folder is there and that you may read it."
        case .folderUnwritable:
            "The notes can be read, but not written. Check that you may write to their folder; what you wrote waits here."
        case .diskFull: "The disk is full. Make room; what you wrote waits here, and is saved then."
        case .peerTooOld: "The other person's Alcove cannot edit notes together. Ask them to update it."
        default: nil
        }
    }

    /// What apps have to do with.
    private static func appSentence(for code: Failure.Code) -> String? {
        switch code {
        case .packUnreadable:
            "There is no app here, or its files are damaged. An app is a folder or a ZIP file with a `manifest.json`."
        case .packRefused: "This holds what no app may bring, or too much of it, and was not installed."
        case .manifestInvalid:
            "The manifest of this app is wrong, and it was not installed. `alcove app install` says what to mend."
        case .packChanged: "The app changed since you were asked, and was not installed. Look at it again."
        case .appUnknown: "This app is not installed, or no longer."
        case .appDamaged: "The files of this app are damaged. Install it again; what it keeps and may do stays."
        case .appsBusy: "Another Alcove works on the apps. It is tried again."
        case .appsUnavailable: "The apps cannot be opened. Check that you may read and write the profile."
        case .componentUnknown: "The app has no such part or command. Look at what it offers."
        case .componentFailed: "The app did not start. Look at what it said."
        case .sandboxUnavailable:
            "Apps cannot be confined on this computer, so none is started. Install bubblewrap, or see"
                + " `alcove app run --help`."
        case .backgroundUnavailable: "This computer has no way to do this."
        case .coreInvalid: "This file is no core library, or one that cannot be used. The core did not change."
        default: nil
        }
    }

    /// An app tried something that it may not do.
    static func denied(_ words: String) -> String {
        "It was denied something: \(words). To allow it, open the app and turn that on."
    }

    /// Something was typed into a room that takes nothing.
    static func cannotWrite(_ status: String) -> String { "Nothing can be said in this room now: \(status)." }

    /// A passphrase, perhaps the right one, came while the wait after wrong ones lasts.
    static func passphraseTooEarly(milliseconds wait: Int64) -> String {
        "This passphrase was not tried, because those before it were wrong. Try again in"
            + " \(duration(milliseconds: wait))."
    }

    /// What went wrong with a passphrase.
    static func passphraseSentence(for failure: Failure) -> String {
        if failure.code == .diskFull { return diskFull }
        guard failure.code == .tooManyAttempts, let wait = failure.wait else { return sentence(for: failure) }
        return passphraseTooEarly(milliseconds: wait)
    }

    /// A number of bytes in words: `312 bytes`, `5 KiB`, `3 MiB`.
    static func size(bytes: Int64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) byte\(bytes == 1 ? "" : "s")"
        case ..<(1 << 20): "\((bytes + 1023) >> 10) KiB"
        default: "\(bytes >> 20) MiB"
        }
    }

    private static func localSentence(for code: Failure.Code, wait: String?) -> String {
        switch code {
        case .fileTooLarge: "Files can have up to \(RoomLimits.fileBytes >> 30) GiB. Send it in parts."
        case .fileUnreadable: "The file cannot be read. Check that it is there and that you may open it."
        case .fileCorrupt: "What arrived is not what was sent. Ask for the file again."
        case .fileDeclined: "The other person declined the file."
        case .fileCancelled: "The file was cancelled."
        case .messageTooLarge: "The message is too large for the other side. Send it in parts."
        case .storageFailed: "The disk is full or cannot be written. Make room, then try again."
        case .passphraseWrong: "The passphrase is wrong." + (wait ?? " Try again.")
        case .vaultDamaged: "The file with the keys is damaged. Restore it from a backup, or erase everything."
        case .timeout: "There was no answer in time." + (wait ?? " Try again.")
        case .cancelled: "This was given up."
        default: "Something went wrong." + (wait ?? " Try again.")
        }
    }

    /// A duration in words, rounded up: `1 second`, `5 minutes`, `12 hours`.
    static func duration(milliseconds: Int64) -> String {
        let seconds = max(milliseconds, 0) / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)
        let units: [(size: Int64, name: String)] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        let unit = units.first { seconds >= $0.size && (seconds % $0.size == 0 || seconds >= 2 * $0.size) }
        let (size, name) = unit ?? (1, "second")
        let count = seconds / size + (seconds % size > 0 ? 1 : 0)
        return "\(count) \(name)\(count == 1 ? "" : "s")"
    }
}

extension Failure {
    /// Milliseconds to wait before the next try; nil also for no wait, which is not worth telling.
    fileprivate var wait: Int64? { retryAfter.flatMap { $0 > 0 ? $0 : nil } }

    /// What a person reads about it.
    package var sentence: String { Wording.sentence(for: self) }

    /// What a person reads about it who gave or changed the passphrase.
    package var passphraseSentence: String { Wording.passphraseSentence(for: self) }
}
