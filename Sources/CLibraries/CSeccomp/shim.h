// libseccomp, for the filter of system calls that components run behind.
#pragma once
#include <seccomp.h>
