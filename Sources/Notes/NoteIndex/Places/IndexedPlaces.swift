/// A storage directory.
package struct IndexedDirectory: Hashable, Sendable, Identifiable {
    /// As its `SD_ID` file has it.
    package var id: String
    package var name: String
    package var path: String

    package init(id: String, name: String, path: String) {
        self.id = id
        self.name = name
        self.path = path
    }
}

/// A folder of notes.
package struct IndexedFolder: Hashable, Sendable, Identifiable {
    package var id: String
    package var name: String
    /// The id of the folder that it is in, which need not be there; nil at the top.
    package var parent: String?
    /// Its place among its siblings.
    package var order: Int64
    package var isDeleted: Bool

    package init(id: String, name: String, parent: String? = nil, order: Int64 = 0, isDeleted: Bool = false) {
        self.id = id
        self.name = name
        self.parent = parent
        self.order = order
        self.isDeleted = isDeleted
    }
}

/// What a device says of itself and of the person who uses it.
package struct IndexedPresence: Hashable, Sendable {
    package var profile: String
    package var instance: String?
    package var profileName: String?
    /// The person's handle.
    package var handle: String?
    /// The person's name.
    package var personName: String?
    package var host: String?
    package var platform: String?
    package var appVersion: String?
    /// Milliseconds since 1970.
    package var updated: Int64?

    package init(
        profile: String, instance: String? = nil, profileName: String? = nil, handle: String? = nil,
        personName: String? = nil, host: String? = nil, platform: String? = nil, appVersion: String? = nil,
        updated: Int64? = nil
    ) {
        self.profile = profile
        self.instance = instance
        self.profileName = profileName
        self.handle = handle
        self.personName = personName
        self.host = host
        self.platform = platform
        self.appVersion = appVersion
        self.updated = updated
    }
}

/// A picture in the media folder.
package struct IndexedImage: Hashable, Sendable, Identifiable {
    package var id: String
    package var file: String
    package var mimeType: String
    /// Pixels.
    package var width: Int64?
    package var height: Int64?
    /// Bytes.
    package var size: Int64
    /// Milliseconds since 1970.
    package var created: Int64

    package init(
        id: String, file: String, mimeType: String, width: Int64? = nil, height: Int64? = nil, size: Int64,
        created: Int64
    ) {
        self.id = id
        self.file = file
        self.mimeType = mimeType
        self.width = width
        self.height = height
        self.size = size
        self.created = created
    }
}
