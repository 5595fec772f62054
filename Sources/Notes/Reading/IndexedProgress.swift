internal import NoteIndex

/// How far a file is read, as the index has it. (The module and a type in it have the same name, so here is the only place where both
/// this type and the one of the same name that reads the files can be told apart.)
typealias IndexedProgress = FileProgress
