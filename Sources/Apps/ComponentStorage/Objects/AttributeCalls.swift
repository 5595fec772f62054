internal import Components
internal import Storage

/// Extended attributes.
extension StorageCalls {
    func attribute(_ name: String, of location: Location) throws(RuntimeException) -> [UInt8] {
        try value(of: name, in: root.tree.attributes(location), at: location).encoded
    }

    func value(
        of name: String, in attributes: StoredAttributes, at location: Location
    ) throws(RuntimeException) -> FileProto.XAttrValue {
        try check(name, location)
        let value = try attempt(location) { () throws(FileError) in
            try attributes.value(name, atMost: root.limits.attributeBytes)
        }
        var reply = FileProto.XAttrValue()
        switch value {
        case .text(let text): reply.str = CommonProto.StringValue(value: text)
        case .json(let json): reply.json = CommonProto.StringValue(value: json)
        case .bytes(let bytes): reply.bytes = CommonProto.BytesValue(value: bytes)
        case nil: break
        }
        return reply
    }

    func attributes(of location: Location) throws(RuntimeException) -> [UInt8] {
        let attributes = try root.tree.attributes(location)
        let names = try attempt(location) { () throws(FileError) in try attributes.names() }
        return CommonProto.StringArrayValue(values: names).encoded
    }

    /// Checks all changes before the first is made. They make a new version.
    func change(
        _ changes: FileProto.XAttrsChanges?, of location: Location
    ) throws(RuntimeException) {
        let system = try root.tree.systemAttributes(location)
        let attributes = StoredAttributes(system)
        guard let changes else { return }
        var values: [(name: String, value: StoredAttributes.Value)] = []
        for change in changes.set { values.append((change.xaName, try value(of: change, at: location))) }
        for name in changes.remove { try check(name, location) }
        let limit = root.limits.attributes
        let present = try attempt(location) { () throws(FileError) in try attributes.names() }
        guard Set(present).subtracting(changes.remove).union(values.map(\.name)).count <= limit else {
            throw .limit("a file has at most \(limit) attributes; remove some", at: location.shown, code: "ENOSPC")
        }
        let wanted = values.reduce(0) { $0 + $1.name.utf8.count + $1.value.byteCount }
        let freed = try attempt(location) { () throws(FileError) in
            try attributes.byteCount(of: Set(changes.remove + values.map(\.name)))
        }
        try root.tree.reserve(Int64(wanted - freed), at: location)
        do throws(RuntimeException) {
            try attempt(location) { () throws(FileError) in
                for name in changes.remove { try attributes.remove(name) }
                if root.tree.keepsVersions { try StoredVersion(system).advance() }
                for (name, value) in values { try attributes.set(name, to: value) }
                try attributes.synchronize()
            }
        } catch {
            // Most file systems have room for few. What was changed before that is counted with the next count.
            root.tree.quota.release(Int64(wanted - freed))
            throw error
        }
        root.tree.quota.release(Int64(freed - wanted))
    }

    private func value(
        of change: FileProto.NameAndXAttrValue, at location: Location
    ) throws(RuntimeException) -> StoredAttributes.Value {
        try check(change.xaName, location)
        let value: StoredAttributes.Value
        if let text = change.str?.value {
            value = .text(text)
        } else if let json = change.json?.value {
            value = .json(json)
        } else if let bytes = change.bytes?.value {
            value = .bytes(bytes)
        } else {
            throw .badArguments("the attribute \(change.xaName) has no value", at: location.shown)
        }
        guard value.byteCount <= root.limits.attributeBytes else {
            throw .limit(
                "an attribute has at most \(root.limits.attributeBytes - 1) bytes", at: location.shown, code: "E2BIG")
        }
        return value
    }

    private func check(_ name: String, _ location: Location) throws(RuntimeException) {
        guard StoredAttributes.isName(name) else {
            throw .badArguments(
                "the name of an attribute has 1 to \(StoredAttributes.nameByteLimit) bytes", at: location.shown)
        }
    }

    private func attempt<Value>(
        _ location: Location, _ work: () throws(FileError) -> Value
    ) throws(RuntimeException) -> Value {
        do throws(FileError) {
            return try work()
        } catch {
            guard error.code == .notImplemented else { throw .file(error, at: location.shown) }
            throw .file(flag: "attrsNotEnabledInFS", at: location.shown)
        }
    }
}
