// What the index knows of a note, and which notes a list shows, are the library's own words too: who uses the library needs no other
// module for them.
@_exported public import struct NoteIndex.NoteFilter
@_exported public import struct NoteIndex.NoteSummary
