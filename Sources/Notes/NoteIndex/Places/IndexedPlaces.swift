/// A storage directory.
public struct IndexedDirectory: Hashable, Sendable, Identifiable {
    /// As its `SD_ID` file has it.
    public var id: String
    public var name: String
    public var path: String

    public init(id: String, name: String, path: String) {
        self.id = id
        self.name = name
        self.path = path
    }
}

/// A folder of notes.
public struct IndexedFolder: Hashable, Sendable, Identifiable {
    public var id: String
    public var name: String
    /// The id of the folder that it is in, which need not be there; nil at the top.
    public var parent: String?
    /// Its place among its siblings.
    public var order: Int64
    public var isDeleted: Bool

    public init(id: String, name: String, parent: String? = nil, order: Int64 = 0, isDeleted: Bool = false) {
        self.id = id
        self.name = name
        self.parent = parent
        self.order = order
        self.isDeleted = isDeleted
    }
}

/// What a device says of itself and of the person who uses it.
public struct IndexedPresence: Hashable, Sendable {
    public var profile: String
    public var instance: String?
    public var profileName: String?
    /// The person's handle.
    public var handle: String?
    /// The person's name.
    public var personName: String?
    public var host: String?
    public var platform: String?
    public var appVersion: String?
    /// Milliseconds since 1970.
    public var updated: Int64?

    public init(
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
public struct IndexedImage: Hashable, Sendable, Identifiable {
    public var id: String
    public var file: String
    public var mimeType: String
    /// Pixels.
    public var width: Int64?
    public var height: Int64?
    /// Bytes.
    public var size: Int64
    /// Milliseconds since 1970.
    public var created: Int64

    public init(
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
