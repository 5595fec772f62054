internal import Storage

extension IndexWriter {
    /// Puts these folders in the place of all that were known.
    package func setFolders(_ folders: [IndexedFolder]) throws {
        try database.execute("DELETE FROM folders")
        for folder in folders {
            try database.execute(
                "INSERT OR REPLACE INTO folders VALUES (?, ?, ?, (SELECT sd_id FROM alcove_index), ?, ?)", folder.id,
                folder.name, folder.parent, folder.order, folder.isDeleted)
        }
    }

    package func upsert(_ presence: IndexedPresence) throws {
        try database.execute(
            """
            INSERT OR REPLACE INTO profile_presence_cache
            VALUES (?, (SELECT sd_id FROM alcove_index), ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, presence.profile, presence.profileName, presence.handle, presence.personName, presence.host,
            presence.platform, presence.appVersion, presence.updated, Milliseconds.now, presence.instance)
    }

    package func upsert(_ image: IndexedImage) throws {
        try database.execute(
            "INSERT OR REPLACE INTO images VALUES (?, (SELECT sd_id FROM alcove_index), ?, ?, ?, ?, ?, ?)", image.id,
            image.file, image.mimeType, image.width, image.height, image.size, image.created)
    }

    package func removeImage(_ id: String) throws {
        try database.execute("DELETE FROM images WHERE id = ?", id)
    }

    /// - Parameter value: nil forgets it.
    package func setAppState(_ key: String, _ value: String?) throws {
        if let value {
            try database.execute("INSERT OR REPLACE INTO app_state VALUES (?, ?)", key, value)
        } else {
            try database.execute("DELETE FROM app_state WHERE key = ?", key)
        }
    }
}
