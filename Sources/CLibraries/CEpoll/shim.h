// epoll and eventfd of the Linux kernel, which Swift's Glibc module leaves out. One call a line, plain integers only.
#pragma once
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

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

static inline int alcove_accept(int fd, struct sockaddr *address, socklen_t *length) {
    return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
