# SPDX-License-Identifier: Apache-2.0
"""iceoryx2 from its Python package: a publisher and a subscriber in two processes, from send to the stamp
read in place. `line` does the same without iceoryx2: it shows how much of the time is Python's.

    rust_iceoryx.py line|spin|listener BYTES

Rounds and answers are those of handover.h.
"""

import ctypes, gc, json, mmap, os, resource, signal, sys, time

MESSAGES_MAX = 1 << 16
BUSY_NS = 20_000
now = time.monotonic_ns
slept = lambda: resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw


def run_on(n):
    have = sorted(os.sched_getaffinity(0))
    if len(have) > 1:
        os.sched_setaffinity(0, {have[n]})


class Line:
    """A number and a stamp in shared memory."""

    way = "line"

    def __init__(self, _):
        self.memory = mmap.mmap(-1, 4096)
        self.number = ctypes.c_uint64.from_buffer(self.memory, 0)
        self.stamp = ctypes.c_uint64.from_buffer(self.memory, 8)

    def writer_opens(self): pass
    def reader_opens(self): pass

    def write(self, count, pause, had):
        number, stamp = self.number, self.stamp
        for n in range(1, count + 1):
            pause()
            stamp.value = now()
            number.value = n
            while had.value < n: pass
        number.value = 0

    def read(self, count, ns, had):
        number, stamp = self.number, self.stamp
        for n in range(1, count + 1):
            while number.value != n: pass
            sent = stamp.value
            ns[n - 1] = now() - sent
            had.value = n


class Iceoryx2:
    def __init__(self, size, waits=False):
        self.size, self.waits, self.name = size, waits, f"orrery-bench-{os.getpid()}"
        self.way = "listener" if waits else "spin"

    def service(self):
        import iceoryx2 as iox
        iox.set_log_level(iox.LogLevel.Error)
        self.node = iox.NodeBuilder.new().create(iox.ServiceType.Ipc)
        self.events = self.node.service_builder(
            iox.ServiceName.new(self.name + "-events")).event().open_or_create()
        return self.node.service_builder(iox.ServiceName.new(self.name)).publish_subscribe(
            iox.Slice[ctypes.c_uint8]).open_or_create()

    def writer_opens(self):
        service = self.service()
        self.port = service.publisher_builder().initial_max_slice_len(self.size).create()
        self.notifier = self.events.notifier_builder().create()
        while service.dynamic_config.number_of_subscribers == 0: time.sleep(0.001)

    def reader_opens(self):
        self.port = self.service().subscriber_builder().create()
        self.listener = self.events.listener_builder().create()

    def write(self, count, pause, had):
        port, size, notifier, waits = self.port, self.size, self.notifier, self.waits
        at = ctypes.c_uint64.from_address
        for n in range(1, count + 1):
            sample = port.loan_slice_uninit(size)
            ctypes.memset(sample.payload_ptr, n & 255, size)
            stamp = at(sample.payload_ptr)
            sample = sample.assume_init()
            pause()
            stamp.value = now()
            sample.send()
            if waits: notifier.notify()
            while had.value < n:
                if waits: time.sleep(0.00002)

    def read(self, count, ns, had):
        receive, waits, at = self.port.receive, self.waits, ctypes.c_uint64.from_address
        wait = self.listener.blocking_wait
        for n in range(count):
            if waits: wait()
            while (sample := receive()) is None: pass
            sent = at(sample.payload_ptr).value
            ns[n] = now() - sent
            sample.delete()
            had.value = n + 1


def main():
    kind, size = sys.argv[1], int(sys.argv[2])
    way = Line(size) if kind == "line" else Iceoryx2(size, waits=kind == "listener")
    memory = mmap.mmap(-1, 4096 + 8 * MESSAGES_MAX)
    had, sleeps = (ctypes.c_uint64.from_buffer(memory, at) for at in (0, 64))
    ns = (ctypes.c_int64 * MESSAGES_MAX).from_buffer(memory, 4096)
    requests, reports = os.pipe(), os.pipe()
    gc.disable()
    child = os.fork()
    if child == 0:
        os.close(requests[1])
        run_on(1)
        way.reader_opens()
        os.write(reports[1], b"r")
        while words := os.read(requests[0], 32):
            os.write(reports[1], b"r")
            before = slept()
            way.read(int(words), ns, had)
            sleeps.value = slept() - before
            os.write(reports[1], b"r")
        os._exit(0)
    try:
        os.close(reports[1])
        own = min(-(now() - now()) for _ in range(10_000))
        run_on(0)
        way.writer_opens()
        os.read(reports[0], 1)
        for line in sys.stdin:
            count, gap = (int(word) for word in line.split())
            count = min(count, MESSAGES_MAX)

            def pause():
                end = now() + gap
                if kind == "listener": time.sleep(max(gap - BUSY_NS, 0) / 1e9)
                while now() < end: pass

            had.value = 0
            os.write(requests[1], b"%d" % count)
            os.read(reports[0], 1)
            time.sleep(0.002)
            begin = now()
            way.write(count, pause, had)
            seconds = (now() - begin) / 1e9
            if os.read(reports[0], 1) != b"r": raise RuntimeError("the reader is gone")
            times = sorted(time - own for time in ns[min(count // 20, 100):count])
            part = lambda p: times[int((len(times) - 1) * p + 0.5)]
            print(json.dumps({
                "p50": part(0.5), "p90": part(0.9), "p99": part(0.99), "max": part(1), "received": count,
                "missed": 0, "seconds": seconds, "way": way.way, "slept": sleeps.value}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
    finally:
        os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    main()
