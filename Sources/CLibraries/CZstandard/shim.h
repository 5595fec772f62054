// Zstandard, for reading what an older generation of notes was packed with.
#pragma once
#include <zstd.h>
