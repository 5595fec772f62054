// Nothing to import: this target only defines the entry points of the fuzzers. See tool.c.
