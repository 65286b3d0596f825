#!/usr/bin/env python3
# Follows a run with pyzmq, protobuf and numpy only: over TCP, or in place in the memory that the sim shares.
#
# Usage: tools/subscriber.py tcp://HOST:PORT|RUN_DIRECTORY [FRAMES]    prints a line of JSON for each frame
import array, json, mmap, os, socket, struct, sys, time
import numpy, zmq
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

def join(endpoint, frames):
    dealer = zmq.Context.instance().socket(zmq.DEALER)
    dealer.connect(endpoint)
    dealer.send_json({"do": "join", "id": 1, "name": "subscriber.py", "frames": frames})
    _, reply, *attached = dealer.recv_multipart()
    if not json.loads(reply)["ok"]: sys.exit(json.loads(reply)["reason"])
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(attached[2]).file: pool.Add(file)
    return dealer, json.loads(reply), message_factory.GetMessageClass(pool.FindMessageTypeByName("orrery.Frame"))
def show(frame):  # the fields of entity 0
    names = {1: "x", 2: "y", 3: "opacity", 4: "scale", 5: "rotation", 6: "blur"}
    values = lambda c: numpy.frombuffer(c.fixed16, "<i2") * c.unit if c.unit else numpy.float32(c.values)
    fields = {names[c.field]: float(values(c)[0]) for c in frame.columns if c.first_entity == 0}
    print(json.dumps({"sequence": frame.sequence, "tick": frame.tick, **fields}), flush=True)
def by_message(endpoint):  # yields (sequence, bytes)
    dealer, reply, frame_type = join(endpoint, "every")
    yield reply["sequence"], frame_type
    while True:
        first, *rest = dealer.recv_multipart()
        if first == b"end": break
        if not rest: yield int.from_bytes(first[1:9], "little"), first  # the head's first number
    dealer.send_json({"do": "leave", "id": 2})
def in_place(directory):
    frame_type = join(f"ipc://{directory}/control", "none")[2]
    lease = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    lease.connect(directory + "/join")
    lease.send(struct.pack("<QII32sIIQ", 0x4e494f4a5952524f, 3, os.getpid(), b"subscriber.py", 0, 0, 0))
    reply, [(_, _, descriptor)], _, _ = lease.recvmsg(64, socket.CMSG_SPACE(4))
    size, last = struct.unpack_from("<24xQQ", reply)
    ring = mmap.mmap(array.array("i", descriptor)[0], size, mmap.MAP_SHARED, mmap.PROT_READ)
    slots, directory_at, places_at, stride, length = struct.unpack_from("<52xIQ16xQQQ", ring)
    word = lambda offset: int(numpy.frombuffer(ring, "<u8", 1, offset)[0])  # one load of eight bytes
    yield last, frame_type
    while word(192) == 0 or last < word(128):  # not ended, or not all read
        slot = directory_at + (last + 1) % slots * 64
        if word(slot + 8) <= last:
            time.sleep(0.001)  # not there yet
            continue
        start = places_at + word(slot + 16) * stride
        frame = ring[start:start + length]
        if word(slot) == last + 1: yield last + 1, frame  # whole: nobody has begun to write there
        last += 1
        lease.send(struct.pack("<QQII", last, 0, 0, 0))

where, limit = sys.argv[1], int((sys.argv + [1 << 62])[2])
frames = (by_message if where.startswith("tcp://") else in_place)(where)
(joined, frame_type), received = next(frames), 0
for last, frame in frames:
    show(frame_type.FromString(frame))
    if (received := received + 1) == limit: break
print(json.dumps({"published": last - joined, "received": received, "missed": last - joined - received}))
