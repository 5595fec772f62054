// CommonMark with the extensions of GitHub.
#pragma once
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
