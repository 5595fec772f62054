// What glibc adds to posix_spawn, which Swift's Glibc module leaves out.
#pragma once
#ifdef __linux__
#include <spawn.h>

// In the program, closes every file from `first` on.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// The flag with which the program begins a session of its own.
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
#endif
