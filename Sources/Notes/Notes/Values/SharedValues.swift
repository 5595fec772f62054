// The library's own declarations use these types. So a client of the library needs no other module for them.
@_exported public import struct NoteIndex.NoteFilter
@_exported public import struct NoteIndex.NoteSummary
