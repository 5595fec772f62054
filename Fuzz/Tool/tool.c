// With the sanitizer's flags every program is linked to libFuzzer, the tools that the build itself runs too. They are no
// fuzzers: libFuzzer finds here what it asks for and never calls it.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *start, size_t count) {
    (void)start;
    (void)count;
    return 0;
}

// A tool ends as soon as it is done, and Foundation lets go of a program that it ran later than that.
const char *__asan_default_options(void) { return "detect_leaks=0"; }
