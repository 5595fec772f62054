internal import Components
internal import Storage

extension ByteSink {
    func object(of root: StorageRoot) -> ServiceObject {
        return ServiceObject(
            type: .byteSink,
            functions: [
                "getSize": root.writing { _ in
                    CommonProto.UInt64Value(value: UInt64(clamping: self.layout.size)).encoded
                },
                "splice": root.writing { (request: BytesProto.SpliceRequestBody, _) in
                    try self.splice(
                        at: request.pos, deleting: request.del, inserting: request.bytes?.value ?? [])
                    return nil
                },
                "truncate": root.writing { (request: BytesProto.TruncateRequestBody, _) in
                    try self.truncate(to: request.size)
                    return nil
                },
                "showLayout": root.writing { _ in self.layoutMessage.encoded },
                "done": root.writing { (request: BytesProto.DoneRequestBody, _) in
                    try self.done(discarding: request.err != nil)
                    return nil
                },
            ], subject: self,
            // Not where the connection is served: a long file takes its time to go.
            dropped: { root.writingQueue.add { try? self.done(discarding: true) } })
    }

    private var layoutMessage: BytesProto.FileLayoutMsg {
        let (base, sections) = shown
        return BytesProto.FileLayoutMsg(
            base: base.map { CommonProto.UInt64Value(value: $0) },
            sections: sections.map { section in
                BytesProto.FileLayoutMsg.LayoutSection(
                    src: section.source.rawValue, ofs: UInt64(clamping: section.offset),
                    len: UInt64(clamping: section.length))
            })
    }
}
