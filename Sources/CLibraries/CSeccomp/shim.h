// libseccomp, for the filter of system calls that components run behind, and what the kernel knows them by.
#pragma once
#include <seccomp.h>
#include <signal.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// Macros and variadic functions that Swift does not see.
static inline uint32_t alcove_seccomp_kill(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t alcove_seccomp_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t alcove_seccomp_error(uint16_t number) { return SCMP_ACT_ERRNO(number); }

static inline int alcove_seccomp_rule(scmp_filter_ctx filter, uint32_t action, int call) {
    return seccomp_rule_add_array(filter, action, call, 0, NULL);
}

// Only if an argument, counted from 0, has all bits of `mask` as in `value`.
static inline int alcove_seccomp_rule_if(
    scmp_filter_ctx filter, uint32_t action, int call, unsigned argument, uint64_t mask, uint64_t value) {
    struct scmp_arg_cmp condition = {argument, SCMP_CMP_MASKED_EQ, mask, value};
    return seccomp_rule_add_array(filter, action, call, 1, &condition);
}

static inline int alcove_set_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// A descriptor that can be read once the process has ended; -1 with an error.
#include <sys/syscall.h>
static inline int alcove_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// The libraries that this program has loaded, by the names that the loader found them by.
#include <link.h>
static inline const struct link_map *alcove_first_library(void) { return _r_debug.r_map; }

// For tests of the filter: a system call by its name; -2 if the machine has none of that name.
static inline long alcove_call_by_name(const char *name, long first, long second, long third) {
    int number = seccomp_syscall_resolve_name(name);
    return number < 0 ? -2 : syscall(number, first, second, third, 0L, 0L, 0L);
}
