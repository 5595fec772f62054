/// A change to a note that is not one of its text. To do it twice is to do it once.
///
/// JSON: `{"type":"rename","title":…}`, `{"type":"move","folder":…}`, `{"type":"pin","on":…}`, `{"type":"delete"}`,
/// `{"type":"restore"}`, `{"type":"purge"}`.
public enum NoteOperation: Sendable, Hashable {
    case rename(title: String)
    /// Without `folder` to the top.
    case move(folder: FolderID?)
    case pin(on: Bool)
    /// Into the trash.
    case delete
    case restore
    /// For good; only from the trash.
    case purge
}

/// A change to a folder. To do it twice is to do it once.
///
/// JSON: `{"type":"create","name":…,"parent":…}`, `{"type":"rename","name":…}`, `{"type":"move","parent":…}`,
/// `{"type":"delete","mode":…}`.
public enum FolderOperation: Sendable, Hashable {
    case create(name: String, parent: FolderID?)
    case rename(name: String)
    case move(parent: FolderID?)
    case delete(mode: FolderRemoval)
}

extension NoteOperation: Codable {
    private enum Key: CodingKey { case type, title, folder, on }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(String.self, forKey: .type) {
        case "rename": self = .rename(title: try container.decode(String.self, forKey: .title))
        case "move": self = .move(folder: try container.decodeIfPresent(FolderID.self, forKey: .folder))
        case "pin": self = .pin(on: try container.decode(Bool.self, forKey: .on))
        case "delete": self = .delete
        case "restore": self = .restore
        case "purge": self = .purge
        default:
            throw DecodingError.unfit(decoder, "unknown change")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(TagKey.name(of: self), forKey: .type)
        switch self {
        case .rename(let title): try container.encode(title, forKey: .title)
        case .move(let folder): try container.encodeIfPresent(folder, forKey: .folder)
        case .pin(let on): try container.encode(on, forKey: .on)
        case .delete, .restore, .purge: break
        }
    }
}

extension FolderOperation: Codable {
    private enum Key: CodingKey { case type, name, parent, mode }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let parent = try container.decodeIfPresent(FolderID.self, forKey: .parent)
        switch try container.decode(String.self, forKey: .type) {
        case "create": self = .create(name: try container.decode(String.self, forKey: .name), parent: parent)
        case "rename": self = .rename(name: try container.decode(String.self, forKey: .name))
        case "move": self = .move(parent: parent)
        case "delete": self = .delete(mode: try container.decode(FolderRemoval.self, forKey: .mode))
        default:
            throw DecodingError.unfit(decoder, "unknown change")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(TagKey.name(of: self), forKey: .type)
        switch self {
        case .create(let name, let parent):
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(parent, forKey: .parent)
        case .rename(let name): try container.encode(name, forKey: .name)
        case .move(let parent): try container.encodeIfPresent(parent, forKey: .parent)
        case .delete(let mode): try container.encode(mode, forKey: .mode)
        }
    }
}
