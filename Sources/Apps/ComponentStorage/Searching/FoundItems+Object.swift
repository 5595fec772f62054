internal import Components
internal import Storage
internal import Synchronization

/// The functions of an `FSCollection`, and of the `FSItemsIter` that goes over one.
///
/// An item says where it lies: in a folder for reading, and under which path there.
extension FoundItems {
    func object() -> ServiceObject {
        ServiceObject(
            type: .collection,
            functions: [
                "get": .immediate { call throws(RuntimeException) in
                    let request = try FsProto.FSCGetRequestBody(of: call)
                    guard let item = self.item(request.name) else { return FsProto.FSCGetReplyBody().encoded }
                    let place = try self.place(for: call)
                    return FsProto.FSCGetReplyBody(item: self.message(item, in: place)).encoded
                },
                "getAll": .immediate { call throws(RuntimeException) in
                    let place = try self.place(for: call)
                    return FsProto.FSCGetAllReplyBody(items: self.items.map { self.named($0, in: place) }).encoded
                },
                "entries": .immediate { call throws(RuntimeException) in
                    try call.connection.expose(self.iterator()).encoded
                },
                "watch": .observable { call, emitter throws(RuntimeException) in
                    let place = try self.place(for: call)
                    try await self.forEach { item throws(RuntimeException) in
                        try self.folder.root.checkOpen()
                        let event = FsProto.CollectionEvent(
                            type: "entry-addition", path: CommonProto.StringValue(value: item.name),
                            item: self.message(item, in: place))
                        try await emitter.emit(event.encoded)
                    }
                },
            ], subject: self)
    }

    /// Goes over what is found when it gets there.
    private func iterator() -> ServiceObject {
        let place = Mutex(0)
        let next = { @Sendable [self] () -> Item? in
            let items = items
            return place.withLock { place in
                guard place < items.count else { return nil }
                defer { place += 1 }
                return items[place]
            }
        }
        return ServiceObject(
            type: .itemsIterator,
            functions: [
                "next": .immediate { call throws(RuntimeException) in
                    guard let item = next() else {
                        return FsProto.IterResMsg(done: CommonProto.BooleanValue(value: true)).encoded
                    }
                    let place = try self.place(for: call)
                    return FsProto.IterResMsg(value: self.named(item, in: place)).encoded
                }
            ])
    }

    /// What items lie in, unless it was taken back meanwhile.
    private func place(for call: ServiceCall) throws(RuntimeException) -> FsProto.FS {
        try folder.root.checkOpen()
        return try folder.serve(on: call.connection)
    }

    private func named(_ item: Item, in place: FsProto.FS) -> FsProto.NameAndItem {
        FsProto.NameAndItem(name: item.name, item: message(item, in: place))
    }

    private func message(_ item: Item, in place: FsProto.FS) -> FsProto.FSItem {
        FsProto.FSItem(
            isFile: .when(item.kind == .file), isFolder: .when(item.kind == .folder),
            isLink: .when(item.kind == .symbolicLink),
            location: FsProto.FSItem.Location(fs: place, path: item.name))
    }
}
