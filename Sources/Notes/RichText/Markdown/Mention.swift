/// A person's name in the text: `[@handle](mention:profile "Display Name")`.
struct Mention {
    static let scheme = "mention:"

    let profile: String
    let handle: String
    let displayName: String

    /// Nil if the element is something else or has what Markdown cannot show.
    init?(_ element: RichText.Element) {
        guard element.name == "mentionNode", element.children.isEmpty,
            let profile = element.attributes["profileId"]?.string, Self.isID(profile),
            let handle = element.attributes["handle"]?.string,
            let displayName = element.attributes["displayName"]?.string
        else { return nil }
        (self.profile, self.handle, self.displayName) = (profile, handle, displayName)
    }

    init?(url: String, text: String, title: String) {
        guard url.hasPrefix(Self.scheme) else { return nil }
        profile = String(url.dropFirst(Self.scheme.count))
        (handle, displayName) = (text, title)
        guard Self.isID(profile) else { return nil }
    }

    var element: RichText.Element {
        .init(
            "mentionNode",
            ["profileId": .string(profile), "handle": .string(handle), "displayName": .string(displayName)])
    }

    func markdown(isCell: Bool) -> String {
        let title = displayName.isEmpty ? "" : " " + Escaping.title(displayName)
        return "[" + Escaping.text(handle, TextPlace(isCell: isCell, isLink: true))
            + "](\(Self.scheme)\(profile)\(title))"
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isIDCharacter)
    }
}
