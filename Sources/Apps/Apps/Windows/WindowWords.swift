package import Components
internal import WebGUI

/// What a window says around the app in it.
package struct WindowWords: Sendable, Hashable {
    /// What kind of window it is, in a few words.
    package var note: String
    /// What is shown when the app has ended.
    package var ended: String
    /// The language of these words (BCP 47).
    package var language: String
    /// What the menu says.
    private(set) var texts: [WindowFrame.Text: String] = [:]

    /// In English.
    package init() {
        let frame = WindowFrame(title: "")
        (note, ended, language) = (frame.note, frame.ended, frame.language)
    }

    /// - Parameter text: what the menu calls something of this name.
    package init(note: String, ended: String, language: String, text: (_ name: String) -> String) {
        (self.note, self.ended, self.language) = (note, ended, language)
        texts = Dictionary(uniqueKeysWithValues: WindowFrame.Text.allCases.map { ($0, text($0.rawValue)) })
    }
}

/// What a person reads about something that an app asks for.
package struct RequestWords: Sendable, Hashable {
    /// What it lets the app do.
    package var title: String
    /// What to know besides.
    package var detail: String

    package init(title: String, detail: String) { (self.title, self.detail) = (title, detail) }

    /// In English.
    package init(_ request: CapabilityRequest) { self.init(title: request.capability.words, detail: "") }
}
