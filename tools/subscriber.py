#!/usr/bin/env python3
# Follows a run with pyzmq, protobuf and numpy only: over TCP, or in place in the memory that the sim shares.
"""Usage: tools/subscriber.py tcp://HOST:PORT|RUN_DIRECTORY [FRAMES]

Prints a line of JSON for each frame, at most FRAMES of them, and the account at the end. Ctrl-C and SIGTERM end it
in order. RUN_DIRECTORY is $XDG_RUNTIME_DIR/orrery/NAME, of a run NAME of this user on this machine.
Exit codes: 0 done; 64 wrong arguments; 69 no such run, or the sim died or dropped this subscriber."""
import array, errno, json, mmap, os, select, signal, socket, struct, sys, time

SILENCE = 2500  # ms; a sim sends something to each subscriber every second

class Unavailable(Exception): pass

def fail(code, text):
    print(f"subscriber.py: {text}", file=sys.stderr)
    sys.exit(code)
def join(endpoint, frames):
    dealer = zmq.Context.instance().socket(zmq.DEALER)
    dealer.RCVTIMEO, dealer.LINGER = SILENCE, 1000
    dealer.connect(endpoint)
    dealer.send_json({"do": "join", "id": 1, "name": "subscriber.py", "frames": frames})
    try: _, reply, *attached = dealer.recv_multipart()
    except zmq.Again: raise Unavailable(f"no sim answers at {endpoint}") from None
    reply = json.loads(reply)
    if not reply["ok"]: raise Unavailable(f"refused: {reply['reason']}")
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(attached[2]).file: pool.Add(file)
    message = lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName("orrery." + name))
    first = [n for n in message("SceneLayout").FromString(attached[0]).names if n.first_entity == 0]
    name = {"name": first[0].name + "[0]" * (first[0].entity_count > 0)} if first else {}
    return dealer, reply, (message("Frame"), name)
def show(frame, name):  # the fields of entity 0, and its name if it has one
    names = {1: "x", 2: "y", 3: "opacity", 4: "scale", 5: "rotation", 6: "blur"}
    values = lambda c: numpy.frombuffer(c.fixed16, "<i2") * c.unit if c.unit else numpy.float32(c.values)
    fields = {names[c.field]: float(values(c)[0]) for c in frame.columns if c.first_entity == 0}
    print(json.dumps({"sequence": frame.sequence, "tick": frame.tick, **name, **fields}), flush=True)
def by_message(endpoint):  # yields what frames are, then (newest sequence, frame or None)
    dealer, reply, shown = join(endpoint, "every")
    last, received = reply["sequence"], 0
    joined = last
    report = lambda: dealer.send_json({"do": "progress", "id": 2, "sequence": last, "missed": last - joined - received})
    yield joined, shown
    try:
        while True:
            first, *rest = dealer.recv_multipart()
            if first == b"end":
                end = json.loads(rest[0])
                yield end["sequence"], None
                if "reason" in end: raise Unavailable(f"dropped: {end['reason']}")
                return
            if rest: continue  # alive, or a reply
            last, received = int.from_bytes(first[1:9], "little"), received + 1  # the head's first number
            yield last, first
            report()
    except zmq.Again: raise Unavailable(f"the sim died or cannot be heard after frame {last}") from None
    finally:
        report()
        dealer.send_json({"do": "leave", "id": 3})
def in_place(directory):
    if not os.path.exists(directory + "/join"): raise Unavailable(f"no run at {directory}")
    dealer, _, shown = join(f"ipc://{directory}/control", "none")  # for what frames are
    dealer.send_json({"do": "leave", "id": 2})
    dealer.close()
    lease = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    lease.connect(directory + "/join")
    lease.send(struct.pack("<QII32sIIQ", 0x4e494f4a5952524f, 3, os.getpid(), b"subscriber.py", 0, 0, 0))
    reply, descriptors, _, _ = lease.recvmsg(64, socket.CMSG_SPACE(4))
    if len(reply) < 64 or not descriptors: raise Unavailable(f"the sim at {directory} refused to share its memory")
    size, last = struct.unpack_from("<24xQQ", reply)
    ring = mmap.mmap(array.array("i", descriptors[0][2])[0], size, mmap.MAP_SHARED, mmap.PROT_READ)
    slots, directory_at, places_at, stride, length = struct.unpack_from("<52xIQ16xQQQ", ring)
    word = lambda offset: int(numpy.frombuffer(ring, "<u8", 1, offset)[0])  # one load of eight bytes
    missed = 0
    def report(leaving):
        try: lease.send(struct.pack("<QQII", last, missed, leaving, 0))
        except OSError: pass  # the sim has gone; the lease says so
    yield last, shown
    try:
        while True:
            # Before the slot: a frame that is completed in between must not be lost.
            has_ended, is_lost = word(192) == 1, bool(select.select([lease], [], [], 0)[0])
            slot = directory_at + (last + 1) % slots * 64
            if word(slot + 8) <= last:  # not there yet
                if has_ended: return
                if is_lost: raise Unavailable(f"the sim died or dropped this subscriber after frame {last}")
                time.sleep(0.001)
                continue
            start = places_at + word(slot + 16) * stride
            frame = ring[start:start + length]
            is_whole = word(slot) == last + 1  # nobody has begun to write there
            last, missed = last + 1, missed + (not is_whole)
            yield last, frame if is_whole else None
            report(0)
    finally: report(1)
def interrupt(*_): raise KeyboardInterrupt
def follow(where, limit):
    frames = (by_message if where.startswith("tcp://") else in_place)(where)
    try:
        joined, (frame_type, name) = next(frames)
        last, received, failure = joined, 0, None
        try:
            for last, frame in frames:
                if frame is None: continue
                show(frame_type.FromString(frame), name)
                received += 1
                if received == limit: break
        except KeyboardInterrupt: pass
        except (Unavailable, OSError) as error: failure = error
        frames.close()  # leaves
    except zmq.ZMQError as error: fail(64 if error.errno == errno.EINVAL else 69, f"{where}: {error.strerror}")
    except (Unavailable, OSError) as error: fail(69, f"{where}: {error}")
    print(json.dumps({"published": last - joined, "received": received, "missed": last - joined - received}))
    if failure: fail(69, str(failure))

if len(sys.argv) == 2 and sys.argv[1] in ("-h", "--help"): sys.exit(print(__doc__))
if len(sys.argv) not in (2, 3): fail(64, "one source and at most one count are wanted\n" + __doc__)
if len(sys.argv) == 3 and not (sys.argv[2].isdecimal() and int(sys.argv[2]) > 0):
    fail(64, f"FRAMES {sys.argv[2]}: a whole number from 1 is wanted")
signal.signal(signal.SIGTERM, interrupt)
try:
    import numpy, zmq
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    follow(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 0)
except ImportError as error: fail(69, f"{error}; needs numpy, pyzmq and protobuf, as tools/install --test puts into .venv")
except KeyboardInterrupt: pass  # before it joined
