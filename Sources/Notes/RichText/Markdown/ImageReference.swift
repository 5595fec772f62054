extension RichText.ImageReference {
    private static let scheme = "image:"

    /// `image:` with the id of the image, or with the id of its storage directory, a slash, and the id of the image.
    var source: String { Self.scheme + (storage.map { $0 + "/" } ?? "") + image }

    init?(source: String) {
        guard source.hasPrefix(Self.scheme) else { return nil }
        let parts = source.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard let image = parts.last, parts.count <= 2, parts.allSatisfy(Self.isID) else { return nil }
        self.init(image: String(image), storage: parts.count == 2 ? String(parts[0]) : nil)
    }

    fileprivate static func isID(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isIDCharacter)
    }
}

extension RichText.Element {
    /// The reference of an image, if its ids fit into an address.
    var imageReference: RichText.ImageReference? {
        guard let image = attributes["imageId"]?.string, RichText.ImageReference.isID(image) else { return nil }
        let storage = attributes["sdId"]?.string ?? ""
        guard storage.isEmpty || RichText.ImageReference.isID(storage) else { return nil }
        return .init(image: image, storage: storage.isEmpty ? nil : storage)
    }

    init(image: RichText.ImageReference, alt: String) {
        self.init("notecoveImage", ["imageId": .string(image.image)])
        if let storage = image.storage { attributes["sdId"] = .string(storage) }
        if !alt.isEmpty { attributes["alt"] = .string(alt) }
    }
}
