// Watching folders. The combined masks are macros with casts and do not import.
#pragma once
#include <sys/inotify.h>
#include <sys/statfs.h>
