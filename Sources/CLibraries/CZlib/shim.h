// zlib, for reading gzip.
#pragma once
#include <zlib.h>
