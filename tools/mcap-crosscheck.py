#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads an Orrery trace with the official MCAP and protobuf packages, and none of our code.

  pip install mcap mcap-protobuf-support
  mcap-crosscheck.py TRACE [--expect SAMPLES.jsonl] [--json]

Every orrery.Frame on /orrery/frames is decoded with the schema inside the trace, and what changed since, on
/orrery/deltas, is applied to it (this needs numpy). Sequences must rise, and every gap must be told by an
orrery.Loss on /orrery/loss; frames that orrery.Recording.every leaves out are no gap. Of /orrery/digests only
sequences and ticks are looked at. --expect compares values bit for bit with
the JSON lines of `orrery sample`: {"time_s","tick","entity","x","y","opacity","scale",
"rotation","blur"}. Values of 16-bit columns must be the nearest multiple of the column's unit. Entities and
fields that were not recorded are not compared.

Exit: 0 all agree, 1 something differs, 2 usage, 65 not a readable trace.
"""

import argparse
import json
import struct
import sys
from array import array

from mcap.exceptions import McapError
from mcap.reader import NonSeekingReader, make_reader
from mcap_protobuf.decoder import DecoderFactory

SCENE, FRAMES, DELTAS = "/orrery/scene", "/orrery/frames", "/orrery/deltas"
DIGESTS, LOSS, EVENTS = "/orrery/digests", "/orrery/loss", "/orrery/events"
COMPLETED, COMMAND = 4, 5
# Numbers of orrery.Field, and what a field without a column has.
FIELDS = {
    "x": (1, 0.0), "y": (2, 0.0), "opacity": (3, 1.0), "scale": (4, 1.0), "rotation": (5, 0.0), "blur": (6, 0.0),
}
DIFFERENCES_SHOWN = 10


def float32_bits(value):
    """The bits of a number as float32. JSON has no infinities or NaN; they come as text."""
    return struct.pack("<f", float(value))


def read_expected(path):
    """{tick: {entity: sample}} of a file of JSON lines."""
    expected = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                sample = json.loads(line)
                expected.setdefault(sample["tick"], {})[sample["entity"]] = (number, sample)
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"{path}:{number}: {error!r}")
            if sample.get("world"):
                raise SystemExit(f"{path}:{number}: frames have own values; sample without --world")
    return expected


class Column:
    """A column of a frame: its place, and its values as bits."""

    def __init__(self, message):
        self.first, self.field, self.unit = message.first_entity, message.field, message.unit
        self.bits = bytes(message.fixed16) if message.unit else array("f", message.values).tobytes()
        # The last five frames since the keyframe, the last first, and the predictor of each block of floats.
        self.frames = [self.bits]
        self.predictors = [4] * -(-len(self.bits) // (256 if self.unit else 512))

    def values(self):
        if not self.unit:
            return array("f", self.bits)
        numbers = struct.unpack(f"<{len(self.bits) // 2}h", self.bits)
        return array("f", (number * self.unit for number in numbers))

    def change(self, packed, is_predicted):
        """Applies what changed since the last frame; docs/reference/trace.md says how it is packed."""
        import numpy as np

        kind = "<u2" if self.unit else "<u4"
        frames = [np.frombuffer(frame, kind) for frame in self.frames]
        last, before = frames[0], frames[min(1, len(frames) - 1)]
        change = self.residuals(np, packed, kind, len(last), is_predicted and not self.unit)
        with np.errstate(all="ignore"):
            if self.unit:
                new = last + last - before + change
            elif is_predicted:
                new = self.ordered(self.ordered(self.expected(np, frames)) + change)
            else:
                step = last.view("<f4") + (last.view("<f4") - before.view("<f4"))
                new = self.ordered(self.ordered(np.where(np.isfinite(step), step.view("<u4"), last)) + change)
        self.bits = new.astype(kind).tobytes()
        self.frames = [self.bits, *self.frames[:4]]

    def residuals(self, np, packed, kind, count, is_predicted):
        """What the predictions were wrong by."""
        size, at = np.dtype(kind).itemsize, 0
        zigzag = np.zeros(128 * len(self.predictors), kind)
        for number in range(len(self.predictors)):
            block, n = zigzag[128 * number:][:128], min(128, count - 128 * number)
            head, width, at = packed[at], packed[at] & 63, at + 1
            if head & 64 and not is_predicted:
                for index in range(n):
                    block[index] = int.from_bytes(packed[at:at + width], "little")
                    at += width
                continue
            if head & 64:
                self.predictors[number], at = packed[at], at + 1
            exceptions, at = packed[at] if head & 128 else 0, at + (head >> 7)
            used = (width * n + 7) // 8
            words = np.frombuffer(packed, "u1", used, at)
            if n == 128:
                # Each lane's words are behind each other, and the lanes are beside each other.
                lanes = words.reshape(width, 16 // size, size).swapaxes(0, 1).reshape(16 // size, -1)
            else:
                lanes = words.reshape(1, used)
            bits = np.unpackbits(np.ascontiguousarray(lanes), axis=1, bitorder="little")
            bits = bits[:, :n // len(lanes) * width].reshape(len(lanes), n // len(lanes), width)
            block[:n] = (bits @ (1 << np.arange(width))).T.ravel()
            at += used
            for _ in range(exceptions):
                index, at = packed[at], at + 1
                is_short = is_predicted and index < 128
                end = at + (1 if is_short else size)
                value, at = int.from_bytes(packed[at:end], "little"), end
                block[index & 127] = int(block[index]) | value << width if is_short else value
        if at != len(packed):
            raise McapError(f"a packed column has {len(packed)} bytes, of which {at} are used")
        return ((zigzag >> 1) ^ -(zigzag & 1))[:count]

    def expected(self, np, frames):
        """The floats that the blocks' predictors expect, as bits."""
        known, count = len(frames), len(frames[0])
        x = [frame.view("<f4").astype("f8") for frame in frames] + [np.zeros(count)] * (5 - known)
        d1, d2, d3, d4 = (a - b for a, b in zip(x, x[1:]))
        e1, e2, e3 = d1 - d2, d2 - d3, d3 - d4
        f1, f2 = e1 - e2, e2 - e3
        low, high = np.where(d1 < d2, d1, d2), np.where(d1 < d2, d2, d1)
        bound = np.where(high < d3, high, d3)
        ways = [
            x[0], x[0] + d1, x[0] + (d1 + e1), x[0] + (d1 + (e1 + f1)), x[0] + (d1 + (e1 + (f1 + (f1 - f2)))),
            x[0] + np.where(low < bound, bound, low),
            x[0] + ((d1 * d4 - d2 * d3) * d1 + (d2 * d2 - d1 * d3) * d2) / (d2 * d4 - d3 * d3),
        ]
        usable = [min(order, known) for order in range(1, 6)]
        usable += [6 if known >= 4 else min(known, 2), 7 if known >= 5 else known]
        numbers = np.repeat([usable[predictor - 1] for predictor in self.predictors], 128)[:count]
        value = np.select([numbers == way for way in range(1, 8)], ways).astype("<f4")
        return np.where(np.isfinite(value), value.view("<u4"), frames[0])

    @staticmethod
    def ordered(bits):
        return bits ^ ((bits.view("<i4") >> 31).view("<u4") >> 1)


class Recorded:
    """What a trace has of its run, as its layout says."""

    def __init__(self, scene=None):
        recording = scene.recording if scene is not None and scene.HasField("recording") else None
        self.every = max(recording.every, 1) if recording else 1
        self.fields = set(recording.columns) if recording else set()
        self.entities = None
        if recording and recording.entities:
            self.entities = [(r.first_entity, r.first_entity + r.entity_count) for r in recording.entities]

    def has(self, entity, field):
        if self.fields and field not in self.fields:
            return False
        return self.entities is None or any(first <= entity < end for first, end in self.entities)


def differs(value, sample, unit):
    """Whether a value is not what a sample says, to the precision that its column has."""
    if not unit:
        return float32_bits(value) != float32_bits(sample)
    return not abs(value - float(sample)) <= unit / 2


def compare(tick, columns, samples, recorded, report):
    """Compares one frame with the samples of its tick; returns the number of values compared, and of those
    that 16-bit columns hold."""
    columns = [(c.first, c.field, c.unit, c.values()) for c in columns]
    count = fixed16 = 0
    for entity, (line, sample) in samples.items():
        for name, (field, value) in FIELDS.items():
            if name not in sample or not recorded.has(entity, field):
                continue
            unit = 0
            for first, column_field, column_unit, values in columns:
                if column_field == field and first <= entity < first + len(values):
                    value, unit = values[entity - first], column_unit
            count += 1
            fixed16 += unit != 0
            if differs(value, sample[name], unit):
                report(f"tick {tick} entity {entity} {name}: trace has {value!r}, "
                       f"line {line} expects {sample[name]!r}")
    return count, fixed16


def gaps_of(sequences, every):
    """The wanted sequences that are missing between neighbours."""
    return [missing for a, b in zip(sequences, sequences[1:]) for missing in range(a + every, b, every)]


def merged(ranges):
    """Sorted ranges, with those that touch made one."""
    result = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        else:
            result.append((first, last))
    return result


class Events:
    """What happened in a run, by the numbers that its events have."""

    def __init__(self):
        self.numbers, self.completions, self.commands, self.missed = 0, [], 0, 0
        self.next = 1

    def add(self, message, report):
        if message.first_number < self.next:
            report(f"event {message.first_number} follows {self.next - 1}")
        self.missed += max(message.first_number - self.next, 0)
        self.next = message.first_number + len(message.events)
        self.numbers += len(message.events)
        self.completions += [event.completion for event in message.events if event.kind == COMPLETED]
        self.commands += sum(event.kind == COMMAND for event in message.events)


def check(path, expected):
    """Reads the trace once; returns its figures and the list of what is wrong."""
    differences, sequences, ticks, losses = [], [], [], []
    recorded, columns, deltas, digests = Recorded(), None, 0, 0
    compared, fixed16, missing, messages = 0, 0, set(expected), 0
    events = Events()
    with open(path, "rb") as stream:
        summary = make_reader(stream, validate_crcs=True).get_summary()
        if summary is None:
            raise McapError("the trace has no summary")
        stream.seek(0)
        reader = NonSeekingReader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for item in reader.iter_decoded_messages(log_time_order=False):
            messages += 1
            message = item.decoded_message
            if item.channel.topic == LOSS:
                losses.append((message.first_sequence, message.last_sequence))
            if item.channel.topic == EVENTS:
                events.add(message, differences.append)
            if item.channel.topic == SCENE:
                recorded = Recorded(message)
            if item.channel.topic == DIGESTS:
                count = len(message.state_hashes)
                if count != len(message.publish_times_ns) or not count:
                    differences.append(f"digest {message.first_sequence} has {count} hashes and other times")
                if sequences and message.first_sequence <= sequences[-1]:
                    differences.append(f"digest {message.first_sequence} follows {sequences[-1]}")
                digests += count
                sequences += range(message.first_sequence, message.first_sequence + count)
                ticks += range(message.first_tick, message.first_tick + count)
            if item.channel.topic not in (FRAMES, DELTAS):
                continue
            if item.channel.topic == DELTAS:
                deltas += 1
                if not sequences or message.base_sequence != sequences[-1]:
                    differences.append(f"frame {message.sequence} stands on {message.base_sequence}")
                # Traces of the older form do not declare it.
                predicted = getattr(message, "predicted_columns", [])
                for column, packed in zip(columns, predicted or message.columns, strict=True):
                    column.change(packed, bool(predicted))
            else:
                columns = [Column(column) for column in message.columns]
            if sequences and message.sequence <= sequences[-1]:
                differences.append(f"sequence {message.sequence} follows {sequences[-1]}")
            if message.sequence % recorded.every:
                differences.append(f"sequence {message.sequence} was not wanted")
            if message.sequence & 0xFFFFFFFF != item.message.sequence:
                differences.append(f"message {item.message.sequence} has frame {message.sequence}")
            sequences.append(message.sequence)
            ticks.append(message.tick)
            if message.tick in missing:
                missing.discard(message.tick)
                counts = compare(
                    message.tick, columns, expected[message.tick], recorded, differences.append)
                compared, fixed16 = compared + counts[0], fixed16 + counts[1]
    if summary.statistics and summary.statistics.message_count != messages:
        differences.append(
            f"statistics say {summary.statistics.message_count} messages, the trace has {messages}")
    # What was lost before the first frame and after the last one leaves no gap between frames.
    inner = [sequence for first, last in merged(losses) for sequence in range(first, last + 1)
             if sequences and sequences[0] < sequence < sequences[-1] and sequence % recorded.every == 0]
    gaps = gaps_of(sequences, recorded.every)
    if gaps != inner:
        differences.append(f"missing {gaps[:9]}, but lost {inner[:9]}")
    differences += [f"tick {tick} is expected, but not in the trace" for tick in sorted(missing)]
    figures = {
        "messages": messages, "frames": len(sequences), "deltas": deltas, "digests": digests,
        "lost": sum(last - first + 1 for first, last in merged(losses)),
        "first_tick": ticks[0] if ticks else None, "last_tick": ticks[-1] if ticks else None,
        "events": events.numbers, "events_missed": events.missed, "commands": events.commands,
        "completions": sorted(set(events.completions)), "values_compared": compared, "fixed16_compared": fixed16, "differences": len(differences),
    }
    return figures, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace")
    parser.add_argument("--expect", metavar="SAMPLES.jsonl")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    arguments = parser.parse_args()
    expected = read_expected(arguments.expect) if arguments.expect else {}
    try:
        figures, differences = check(arguments.trace, expected)
    except Exception as error:  # Whatever a damaged file makes the packages raise.
        print(f"{arguments.trace}: {error!r}", file=sys.stderr)
        return 65
    for difference in differences[:DIFFERENCES_SHOWN]:
        print(f"{arguments.trace}: {difference}", file=sys.stderr)
    if arguments.json:
        print(json.dumps(figures))
    else:
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items()))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
