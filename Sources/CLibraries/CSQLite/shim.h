// SQLite. SQLITE_TRANSIENT is a cast macro and does not import.
#pragma once
#include <sqlite3.h>
static inline sqlite3_destructor_type alcove_sqlite_transient(void) { return SQLITE_TRANSIENT; }
