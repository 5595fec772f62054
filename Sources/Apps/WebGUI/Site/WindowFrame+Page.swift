extension WindowFrame {
    static let stylePath = "/window.css"
    static let scriptPath = "/window.js"
    static let menuScriptPath = "/menu.js"

    /// The window's page. Everything in it that is not ours is escaped.
    func page(of address: String, hasMenu: Bool) -> String {
        """
        <!doctype html><html lang="\(language.escaped)"><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title.escaped)</title><link rel="icon" href="data:,"><link rel="stylesheet" href="\(Self.stylePath)">
        <header class="line"><h1><bdi>\(title.escaped)</bdi></h1> <span>\(note.escaped)</span>\(hasMenu ? opener : "")</header>
        <main><iframe title="\(title.escaped)" src="\(address)" sandbox="\(Self.flags)" referrerpolicy="no-referrer"></iframe>
        <div class="end"><p role="status" data-text="\(ended.escaped)"></p>
        <button id="close" type="button" hidden data-text="\(text(.closeByHand))">\(text(.close))</button></div></main>
        \(hasMenu ? menu : "")
        <script src="\(Self.scriptPath)"></script>\(hasMenu ? "<script src=\"\(Self.menuScriptPath)\"></script>" : "")</html>
        """
    }

    private var opener: String {
        "<button id=\"open\" type=\"button\" aria-haspopup=\"dialog\">\(text(.menu))</button>"
    }

    /// A modal dialog is above everything else, and what is beneath it takes neither a click nor the focus, also in the frame.
    private var menu: String {
        """
        <dialog aria-labelledby="menu-name" data-stolen="\(text(.stolen))">
        <div class="head"><h2 id="menu-name"><bdi>\(title.escaped)</bdi></h2><button id="hide" type="button">\(text(.hide))</button></div>
        <section aria-labelledby="may-name"><h3 id="may-name">\(text(.permissions))</h3><ul id="may"></ul>
        <p id="harmless" hidden>\(text(.harmless))</p></section>
        <section aria-labelledby="log-name"><h3 id="log-name">\(text(.log))</h3>
        <ol id="log" tabindex="0" aria-labelledby="log-name" data-warning="\(text(.warning))" data-error="\(text(.error))"></ol>
        <p id="silent" hidden>\(text(.silent))</p></section>
        <p id="problem" role="alert" data-text="\(text(.failed))"></p>
        <div class="foot"><button id="stop" type="button">\(text(.stop))</button></div>
        </dialog>
        """
    }

    private func text(_ text: Text) -> String { (texts[text] ?? text.english).escaped }
}

extension String {
    /// As text or as an attribute's value of HTML.
    var escaped: String {
        var text = ""
        for character in unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
