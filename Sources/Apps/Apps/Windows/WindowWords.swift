internal import WebGUI

/// What a window says around the app in it.
package struct WindowWords: Sendable, Hashable {
    /// What kind of window it is, in a few words.
    package var note: String
    /// What is shown when the app has ended.
    package var ended: String
    /// The language of these words (BCP 47).
    package var language: String

    /// In English.
    package init() {
        let frame = WindowFrame(title: "")
        (note, ended, language) = (frame.note, frame.ended, frame.language)
    }

    package init(note: String, ended: String, language: String) {
        (self.note, self.ended, self.language) = (note, ended, language)
    }
}
