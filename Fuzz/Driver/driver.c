// The package manager wants an executable to define `<module>_main`, where libFuzzer brings a `main` of its own.
// So each fuzzer's entry point is defined here (Package.swift lists them) and starts libFuzzer's driver.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *start, size_t count);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *start, size_t count));

#define ENTRY(name) \
    int name(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }
ENTRIES
