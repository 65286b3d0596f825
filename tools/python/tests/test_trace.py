# SPDX-License-Identifier: Apache-2.0
"""A trace gives what was recorded, however it was; a file that is none is refused in one line."""
import sys
import unittest
from unittest import mock

import numpy as np
from mcap.writer import Writer

import orrery
from orrery.messages import message
from support import TestCase, samples


class TraceTests(TestCase):
    def test_every_kind_of_trace_gives_the_same_frames(self):
        for options in (("--compression", "none"), ("--compression", "zstd"), ("--delta",), ("--mode", "digest")):
            trace = orrery.open(self.record("t.mcap", "--force", *options))
            self.assertTrue(trace.is_whole)
            self.assertEqual(trace.is_computed, len(options) == 1 or options[0] == "--mode")
            frames = list(trace)
            self.assertEqual([frame.sequence for frame in frames], list(range(1, 91)))
            self.assertEqual(sum(frame.lost for frame in frames), 0)
            self.assertEqual([head[:2] for head in trace.heads()], [(f.sequence, f.tick) for f in frames])
            for sample in samples("planets", 1.5):
                self.assertEqual(frames[-1]["y"][sample["entity"]], np.float32(sample["y"]), options)

    def test_tables(self):
        trace = orrery.open(self.record("t.mcap"))
        times, values = trace.array("y", entities=["Mars.header"])
        self.assertEqual((times.shape, values.shape, values.dtype), ((90,), (90, 1), np.dtype("f4")))
        self.assertEqual(trace.array("y")[1].shape, (90, trace.scene.entity_count))
        table = trace.table("x", "y", entities=["Mars.header", 2], from_tick=11, to_tick=20)
        self.assertEqual((list(table), table.row_count), (["sequence", "tick", "time_s", "entity", "x", "y"], 20))
        self.assertTrue(np.array_equal(table["y"][::2], values[10:20, 0]))
        self.assertEqual(next(table.rows())["tick"], 11)
        self.assertEqual(trace.timings().row_count, 90)
        self.assertEqual(trace.info()["runs"][0]["last"]["tick"], 90)
        with self.assertRaises(orrery.Error) as caught:
            trace.array("y", entities=["Nobody"])
        self.assertOneLine(caught, "Nobody")
        with self.assertRaises(orrery.Error):
            trace.array("z")

    def test_libraries_of_tables(self):
        table = orrery.Table({"x": np.arange(3, dtype="f4"), "name": np.array(["a", "b", "c"], object)})
        for module, convert in (("pyarrow", table.arrow), ("polars", table.polars), ("pandas", table.pandas)):
            with self.subTest(module), mock.patch.dict(sys.modules, {module: None}):
                with self.assertRaises(orrery.NotInstalled) as caught:
                    convert()
                self.assertOneLine(caught, f"pip install {module}")
            try:
                __import__(module)
            except ImportError:
                continue
            self.assertEqual(convert().shape, (3, 2), module)
            self.assertEqual([float(x) for x in np.asarray(convert()["x"])], [0, 1, 2])

    def test_what_happened(self):
        trace = orrery.open(self.record("t.mcap", scene="completions", events="all", ticks=300))
        events = trace.events()
        self.assertEqual(events["number"].tolist(), list(range(1, events.row_count + 1)))
        self.assertIn("COMPLETED", events["kind"].tolist())
        self.assertTrue((np.diff(events["tick"].astype("i8")) >= 0).all())
        self.assertEqual(trace.losses().row_count, 0)

    def test_losses_and_frames_that_were_left_out(self):
        source = orrery.open(self.record("t.mcap"))
        with open(self.path("gap.mcap"), "wb") as file:
            writer = Writer(file)
            writer.start()
            schema = writer.register_schema("x", "protobuf", b"")
            topics = {name: writer.register_channel("/orrery/" + name, "protobuf", schema)
                      for name in ("scene", "frames", "loss")}
            writer.add_message(topics["scene"], 0, source.scene.SerializeToString(), 0)
            for frame in source:
                if not 20 <= frame.sequence <= 24:
                    writer.add_message(topics["frames"], frame.sequence, bytes(frame._buffer), frame.sequence)
            loss = message("Loss")(first_sequence=20, last_sequence=24)
            writer.add_message(topics["loss"], 25, loss.SerializeToString(), 0)
            writer.finish()
        trace = orrery.open(self.path("gap.mcap"))
        self.assertFalse(trace.is_whole)
        self.assertEqual({f.sequence: f.lost for f in trace if f.lost}, {25: 5})
        self.assertEqual(list(trace.losses().rows()), [{"first_sequence": 20, "last_sequence": 24, "shard": -1}])
        thin = orrery.open(self.record("thin.mcap", "--every", "10", "--record-host"))
        self.assertEqual([(f.sequence, f.lost) for f in thin], [(n, 0) for n in range(10, 91, 10)])

    def test_file_that_is_no_trace(self):
        with open(self.record("t.mcap", "--compression", "none"), "rb") as file:
            whole = file.read()
        middle = len(whole) // 2
        for name, data, word in (
                ("text.mcap", b"hello", "no trace"), ("empty.mcap", b"", "no trace"),
                ("flipped.mcap", whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:], "damaged"),
                ("start.mcap", whole[:50], "no scene")):
            with open(self.path(name), "wb") as file:
                file.write(data)
            with self.assertRaises(orrery.TraceError, msg=name) as caught:
                list(orrery.open(self.path(name)))
            self.assertOneLine(caught, name, word)
        for path in (self.path("none.mcap"), self.folder):
            with self.assertRaises(orrery.Error) as caught:
                orrery.open(path)
            self.assertOneLine(caught, path)

    def test_file_that_was_cut_off_gives_what_it_has(self):
        path = self.record("t.mcap", "--chunk-size", "4096")
        with open(path, "rb") as file:
            data = file.read()
        with open(path, "wb") as file:
            file.write(data[:len(data) // 2])
        trace = orrery.open(path)
        self.assertFalse(trace.is_whole)
        self.assertTrue(0 < len(list(trace)) < 90)

    def test_what_was_not_recorded_is_no_number(self):
        trace = orrery.open(self.record("t.mcap", "--columns", "y", "--entity", "Mars.header"))
        frame = next(iter(trace))
        number = frame.layout.entity("Mars.header")
        self.assertEqual(np.isnan(frame["y"][number]), False)
        self.assertTrue(np.isnan(frame["x"]).all())
        self.assertTrue(np.isnan(frame["y"]).any())


if __name__ == "__main__":
    unittest.main()
