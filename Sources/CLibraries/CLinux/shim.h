// Calls of the Linux kernel and of its C library that Swift's modules of them leave out: epoll, eventfd, inotify,
// openat2, starting programs. One call a function, plain integers only.
#pragma once
#ifdef __linux__
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/sock_diag.h>
#include <linux/stat.h>
#include <netinet/in.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH 010000000
#endif

static inline int alcove_o_path(void) { return O_PATH; }

// Opens a folder for reaching what is in it. No step of the path may be a symbolic link or lead above `folder`.
static inline int alcove_open_folder_beneath(int folder, const char *path) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// Renames unless there is something of the new name.
static inline int alcove_rename_new(int from, const char *name, int to, const char *new_name) {
    return (int)syscall(SYS_renameat2, from, name, to, new_name, RENAME_NOREPLACE);
}

// Copies bytes from file to file inside the kernel. At most `count`; how many were copied, or -1.
static inline int64_t alcove_copy_range(int from, int64_t at, int to, int64_t offset, int64_t count) {
    loff_t source = at, target = offset;
    return (int64_t)syscall(SYS_copy_file_range, from, &source, to, &target, (size_t)count, 0);
}

// Returns when everything that was written to the file system of an open file is on the disk. An error since it was opened is told.
static inline int alcove_sync_file_system(int file) { return (int)syscall(SYS_syncfs, file); }

struct alcove_status {
    uint32_t mode, block_size;
    uint64_t inode;
    int64_t size, blocks;
    int64_t born_seconds, modified_seconds, accessed_seconds;
    uint32_t born_nanoseconds, modified_nanoseconds, accessed_nanoseconds;
};

// What a name in a folder stands for, never through a link; with an empty name the open file `folder` itself.
static inline int alcove_status_of(int folder, const char *name, struct alcove_status *status) {
    struct statx found;
    memset(&found, 0, sizeof found);
    int flags = 0x100 /* AT_SYMLINK_NOFOLLOW */ | 0x1000 /* AT_EMPTY_PATH */;
    if (syscall(SYS_statx, folder, name, flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return -1;
    int is_birth_known = (found.stx_mask & STATX_BTIME) != 0;
    status->mode = found.stx_mode;
    status->block_size = found.stx_blksize;
    status->inode = found.stx_ino;
    status->size = (int64_t)found.stx_size;
    status->blocks = (int64_t)found.stx_blocks;
    status->modified_seconds = found.stx_mtime.tv_sec;
    status->modified_nanoseconds = found.stx_mtime.tv_nsec;
    status->accessed_seconds = found.stx_atime.tv_sec;
    status->accessed_nanoseconds = found.stx_atime.tv_nsec;
    // A file system that does not keep the birth has at least the last change.
    status->born_seconds = is_birth_known ? found.stx_btime.tv_sec : found.stx_mtime.tv_sec;
    status->born_nanoseconds = is_birth_known ? found.stx_btime.tv_nsec : found.stx_mtime.tv_nsec;
    return 0;
}

static inline int alcove_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int alcove_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// operation: 0 adds, 1 changes, 2 removes.
static inline int alcove_epoll_control(int epoll, int operation, int fd, int reads, int writes, uint64_t id) {
    static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
    struct epoll_event event = {0};
    event.events = (reads ? EPOLLIN : 0u) | (writes ? EPOLLOUT : 0u);
    event.data.u64 = id;
    return epoll_ctl(epoll, operations[operation], fd, &event);
}

// What an event says. A broken descriptor is also readable and writable, so that whoever waits finds out.
static inline uint64_t alcove_epoll_id(const struct epoll_event *event) { return event->data.u64; }
static inline int alcove_epoll_readable(const struct epoll_event *event) {
    return (event->events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0;
}
static inline int alcove_epoll_writable(const struct epoll_event *event) {
    return (event->events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0;
}
static inline int alcove_epoll_broken(const struct epoll_event *event) {
    return (event->events & (EPOLLERR | EPOLLHUP)) != 0;
}

// The user of one end of a TCP connection between two sockets of this machine (sock_diag(7)): of `fd` itself, or of the
// other end. -1 if the kernel knows no such socket, or does not answer such questions.
static inline long long alcove_socket_user(int fd, int of_other_end) {
    struct sockaddr_storage own, other;
    socklen_t own_length = sizeof own, other_length = sizeof other;
    if (getsockname(fd, (struct sockaddr *)&own, &own_length) != 0) return -1;
    if (getpeername(fd, (struct sockaddr *)&other, &other_length) != 0) return -1;
    const struct sockaddr_storage *from = of_other_end ? &other : &own, *to = of_other_end ? &own : &other;
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 ask;
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = sizeof request;
    request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.head.nlmsg_flags = NLM_F_REQUEST;
    request.ask.sdiag_family = own.ss_family;
    request.ask.sdiag_protocol = IPPROTO_TCP;
    request.ask.idiag_states = ~0u;
    request.ask.id.idiag_cookie[0] = request.ask.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    if (own.ss_family == AF_INET) {
        const struct sockaddr_in *source = (const struct sockaddr_in *)from, *target = (const struct sockaddr_in *)to;
        request.ask.id.idiag_sport = source->sin_port;
        request.ask.id.idiag_dport = target->sin_port;
        memcpy(request.ask.id.idiag_src, &source->sin_addr, sizeof source->sin_addr);
        memcpy(request.ask.id.idiag_dst, &target->sin_addr, sizeof target->sin_addr);
    } else if (own.ss_family == AF_INET6) {
        const struct sockaddr_in6 *source = (const struct sockaddr_in6 *)from, *target = (const struct sockaddr_in6 *)to;
        request.ask.id.idiag_sport = source->sin6_port;
        request.ask.id.idiag_dport = target->sin6_port;
        memcpy(request.ask.id.idiag_src, &source->sin6_addr, sizeof source->sin6_addr);
        memcpy(request.ask.id.idiag_dst, &target->sin6_addr, sizeof target->sin6_addr);
    } else {
        return -1;
    }
    int question = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (question < 0) return -1;
    long long user = -1;
    union {
        struct nlmsghdr head;
        char bytes[1024];
    } answer;
    if (send(question, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        ssize_t count = recv(question, &answer, sizeof answer, 0);
        if (count >= (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) && answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY)
            user = ((const struct inet_diag_msg *)NLMSG_DATA(&answer.head))->idiag_uid;
    }
    close(question);
    return user;
}

static inline int alcove_accept(int fd, struct sockaddr *address, socklen_t *length) {
    return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// In the C library's headers only for GNU programs.
int pipe2(int descriptors[2], int flags);
int pthread_setname_np(pthread_t thread, const char *name);

// In the program that is started, closes every file from `first` on.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);

// The flag with which the program begins a session of its own.
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
#endif
