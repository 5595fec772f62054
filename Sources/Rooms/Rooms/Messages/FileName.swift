/// Names of files that came from the other side.
package enum FileName {
    /// The name without any part of a path, control characters, leading dots or characters that other systems forbid;
    /// at most 255 bytes of UTF-8, keeping the extension. Never empty.
    package static func safe(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let forbidden: Set<Character> = ["<", ">", ":", "\"", "|", "?", "*"]
        var clean = String(
            last.map { character in
                let isHidden = character.unicodeScalars.contains {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                }
                return isHidden || forbidden.contains(character) ? "_" : character
            })
        while clean.first == "." || clean.first == " " { clean.removeFirst() }
        while clean.last == "." || clean.last == " " { clean.removeLast() }
        return clean.isEmpty ? "file" : shortened(clean)
    }

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > Envelope.Limit.fileName else { return name }
        let (stem, suffix) = parts(name)
        let kept = suffix.utf8.count <= 32 ? suffix : ""
        var short = kept.isEmpty ? name : stem
        while short.utf8.count + kept.utf8.count > Envelope.Limit.fileName { short.removeLast() }
        return short + kept
    }

    /// The name before its extension, and the extension with its dot.
    package static func parts(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
