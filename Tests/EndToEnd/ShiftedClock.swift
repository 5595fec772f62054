#if os(Linux)
import Foundation
import Testing

/// A clock of programs that goes wrong, or jumps while they run, as it does when a computer wakes up. Clocks that stand still while a
/// computer sleeps (`CLOCK_MONOTONIC`) stay right.
final class ShiftedClock {
    /// A program that starts `alcove` with this clock; what it starts has it, too, unless it is given another environment.
    let program: String
    private let place: String

    init(in folder: String) async throws {
        place = folder + "/clock"
        program = folder + "/clocked-alcove"
        try Self.source.write(toFile: place + ".c", atomically: true, encoding: .utf8)
        let compiler = "$(command -v clang || command -v cc)"
        let built = try await Shell("\(compiler) -shared -fPIC -o '\(place).so' '\(place).c' -lpthread 2>&1")
        try #require(built.code == 0, "\(built.output)")
        let script = """
            #!/bin/sh
            exec env ALCOVE_TEST_CLOCK='\(place)' LD_PRELOAD='\(place).so' '\(AlcoveProcess.program)' "$@"
            """
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try set(seconds: 0, sleepingFor: 0)
    }

    /// - Parameters:
    ///   - seconds: how far the time of day is ahead.
    ///   - sleep: how many seconds the computer has slept since the programs began.
    func set(seconds: Int64, sleepingFor sleep: Int64) throws {
        // In place, because the programs have it in their memory.
        let file = open(place, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let values = [seconds, sleep]
        try #require(values.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == 16)
    }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/time.h>
        #include <sys/timerfd.h>
        #include <time.h>
        #include <unistd.h>

        #define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
        enum { most = 1024 };

        static volatile long *ahead;
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static struct { clockid_t clock; int flags, is_set; struct itimerspec time; } timers[most];

        static long shift(clockid_t clock) {
            if (!ahead) return 0;
            if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) return ahead[0];
            return clock == CLOCK_BOOTTIME ? ahead[1] : 0;
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            int result = REAL(clock_gettime)(clock, time);
            time->tv_sec += shift(clock);
            return result;
        }

        int gettimeofday(struct timeval *time, void *zone) {
            int result = REAL(gettimeofday)(time, zone);
            time->tv_sec += shift(CLOCK_REALTIME);
            return result;
        }

        time_t time(time_t *to) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (to) *to = now.tv_sec;
            return now.tv_sec;
        }

        int timerfd_create(int clock, int flags) {
            int file = REAL(timerfd_create)(clock, flags);
            pthread_mutex_lock(&lock);
            if (file >= 0 && file < most) { timers[file].clock = clock; timers[file].is_set = 0; }
            pthread_mutex_unlock(&lock);
            return file;
        }

        /* The kernel knows nothing of the shift. */
        static int set(int file, struct itimerspec *old) {
            struct itimerspec time = timers[file].time;
            if (time.it_value.tv_sec || time.it_value.tv_nsec) {
                time.it_value.tv_sec -= shift(timers[file].clock);
                if (time.it_value.tv_sec < 0) time.it_value = (struct timespec){ 0, 1 };
            }
            return REAL(timerfd_settime)(file, timers[file].flags, &time, old);
        }

        int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
            if (!(flags & TFD_TIMER_ABSTIME) || file >= most) return REAL(timerfd_settime)(file, flags, new, old);
            pthread_mutex_lock(&lock);
            timers[file].flags = flags;
            timers[file].time = *new;
            timers[file].is_set = 1;
            int result = set(file, old);
            pthread_mutex_unlock(&lock);
            return result;
        }

        /* What was due while the computer slept is due when it wakes. */
        static void *follow(void *nothing) {
            for (long known[2] = { ahead[0], ahead[1] };; usleep(20000)) {
                if (known[0] == ahead[0] && known[1] == ahead[1]) continue;
                known[0] = ahead[0], known[1] = ahead[1];
                pthread_mutex_lock(&lock);
                for (int file = 0; file < most; file++) if (timers[file].is_set) set(file, 0);
                pthread_mutex_unlock(&lock);
            }
            return nothing;
        }

        __attribute__((constructor)) static void begin(void) {
            int file = open(getenv("ALCOVE_TEST_CLOCK"), O_RDONLY);
            if (file < 0) return;
            void *memory = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
            close(file);
            if (memory == MAP_FAILED) return;
            ahead = memory;
            pthread_t thread;
            pthread_create(&thread, 0, follow, 0);
        }
        """#
}
#endif
