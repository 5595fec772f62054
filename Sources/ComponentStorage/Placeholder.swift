// Replaced by the first line of this room.
