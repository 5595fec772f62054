import Agents
import AppCore
import Storage
import Synchronization

/// Pictures that go along with prompts, sealed by the vault, until nothing shows them any more.
extension Profile {
    func keep(_ picture: PromptPicture, named name: String) throws -> AgentPicture {
        var random = SystemRandomNumberGenerator()
        let id = AgentPictureID(Fresh(using: &random).first)
        let sealed = try vault.seal(picture.bytes, context: "picture/" + id.text)
        freshPictures.withLock { _ = $0?.insert(id) }
        try write { try $0.execute("INSERT INTO agent_pictures VALUES (?, ?)", id.text, sealed) }
        return AgentPicture(id: id, name: name, type: picture.type, bytes: picture.bytes.count)
    }

    func picture(_ id: AgentPictureID) throws -> PromptPicture {
        let sealed = try database.withLock { database in
            try database.first("SELECT value FROM agent_pictures WHERE id = ?", id.text) { try $0[0] as [UInt8] }
        }
        guard let sealed, let picture = PromptPicture(try vault.open(sealed, context: "picture/" + id.text)) else {
            throw Failure(.fileUnreadable, "a picture of the prompt is gone")
        }
        return picture
    }

    func forget(pictures: [AgentPictureID]) throws {
        try write { database in
            for id in pictures { try database.execute("DELETE FROM agent_pictures WHERE id = ?", id.text) }
        }
    }

    /// What a process that was killed kept and nothing shows goes, once for each process, before it keeps the first one itself.
    func sweepPictures(keeping known: Set<AgentPictureID>) throws {
        guard let fresh = freshPictures.withLock({ $0.take() }) else { return }
        let all = try database.withLock { database in
            try database.query("SELECT id FROM agent_pictures") { AgentPictureID(try $0[0] as String) }
        }
        // One that came from a member a moment ago is not known yet.
        let gone = all.filter { !known.contains($0) && !fresh.contains($0) }
        if !gone.isEmpty { try forget(pictures: gone) }
    }
}
