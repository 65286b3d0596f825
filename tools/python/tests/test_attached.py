# SPDX-License-Identifier: Apache-2.0
"""A reader gets every frame whole and in place, or is told what it lost and why no more come."""
import os
import signal
import subprocess
import time
import unittest

import numpy as np

import orrery
from orrery.programs import program
from support import SlowLink, TestCase, free_port, samples


class AttachedTests(TestCase):
    def test_every_frame_is_read_in_place_and_has_the_values_of_the_kernels(self):
        with orrery.run("planets", ticks=90, lockstep=True, unpaced=True, wait_for=1) as run:
            with run.attach(from_frame=1) as frames:
                ticks = []
                for frame in frames:
                    ticks.append(frame.tick)
                    self.assertTrue(frame.is_whole)
                    for column in frame.columns:
                        self.assertFalse(column.values.flags.owndata)
                        self.assertFalse(column.values.flags.writeable)
                self.assertEqual(ticks, list(range(1, 91)))
                self.assertTrue(frames.ended)
                self.assertEqual((frames.received, frames.missed), (90, 0))
            account = run.wait()["subscribers"][0]
            self.assertEqual((account["received"], account["missed"]), (90, 0))
        for sample in samples("planets", 1.5):
            for field in ("x", "y", "opacity", "scale", "rotation", "blur"):
                self.assertEqual(frame[field][sample["entity"]], np.float32(sample[field]), (field, sample))

    def test_view_is_the_memory_that_the_sim_writes(self):
        with orrery.run("stress", entities=1000, rate=500, slots=4) as run, run.attach() as frames:
            frame = frames.next()
            view, before = frame.arrays[0], frame.arrays[0].copy()
            frames.next()
            # On a busy machine the place may have been written again before it was copied: then the next time counts.
            end = time.monotonic() + 60
            while (frame.is_whole or np.array_equal(view, before)) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertFalse(frame.is_whole)
            self.assertFalse(np.array_equal(view, before))

    def test_slow_reader_is_told_what_it_lost(self):
        with orrery.run("stress", entities=1000, rate=500, slots=4, ticks=400, wait_for=1) as run:
            with run.attach() as frames:
                first = frames.next()
                time.sleep(0.2)
                self.assertFalse(first.is_whole)
                with self.assertRaises(orrery.Torn) as caught:
                    first.copy()
                self.assertOneLine(caught, f"frame {first.sequence} was overwritten")
                second = frames.next()
                self.assertGreater(second.lost, 20)
                self.assertEqual(second.sequence, first.sequence + 1 + second.lost)
                for frame in frames:
                    pass
                self.assertEqual(frames.received + frames.missed, 400)
                self.assertEqual(frame.sequence, 400)
            account = run.wait()["subscribers"][0]
            self.assertEqual((account["received"], account["missed"]), (frames.received, frames.missed))

    def test_newest_frame_is_the_newest(self):
        with orrery.run("planets", rate=200) as run, run.attach(reading="newest") as frames, run.control() as control:
            for _ in range(5):
                time.sleep(0.05)
                published = control.stats()["sequence"]
                frame = frames.next()
                self.assertGreaterEqual(frame.sequence, published)
            self.assertGreater(frame.lost, 0)

    def test_newest_of_a_paused_run_is_the_one_that_it_shows(self):
        with orrery.run("planets", rate=200) as run, run.control() as control:
            while control.stats()["sequence"] == 0:
                time.sleep(0.01)
            sequence = control.pause()["sequence"]
            with run.attach(reading="newest") as frames:
                self.assertEqual(frames.next(timeout=30).sequence, sequence)
                self.assertIsNone(frames.next(timeout=0.1))

    def test_time_to_wait_is_kept(self):
        with orrery.run("planets") as run, run.attach() as frames, run.control() as control:
            control.pause()
            while frames.next(timeout=0):
                pass
            began = time.monotonic()
            self.assertIsNone(frames.next(timeout=0.3))
            self.assertGreaterEqual(time.monotonic() - began, 0.29)
            self.assertFalse(frames.ended)

    def test_killed_sim_is_noticed_after_its_last_frame(self):
        run = orrery.run("planets", rate=200)
        frames = run.attach()
        last = frames.next().sequence
        os.kill(run.pid, signal.SIGKILL)
        with self.assertRaises(orrery.SimDied) as caught:
            for frame in frames:
                last = frame.sequence
        self.assertOneLine(caught, f"died after frame {last}")
        with self.assertRaises(orrery.ProgramFailed) as failed:
            run.wait()
        self.assertEqual(failed.exception.exit_code, -9)
        with self.assertRaises(orrery.NoSuchRun):
            run.control()

    def test_stalled_reader_in_lockstep_is_dropped(self):
        with orrery.run("planets", lockstep=True, unpaced=True, slots=8, stall_limit=0.2, wait_for=1) as run:
            frames = run.attach()
            frames.next()
            with run.control() as control:
                while control.stats()["subscribers_connected"]:
                    time.sleep(0.05)
            with self.assertRaises(orrery.Dropped) as caught:
                for _ in frames:
                    pass
            self.assertOneLine(caught, "no frame for too long")

    def test_run_that_is_not_there(self):
        for where, kind in (("nobody", orrery.NoSuchRun), ("../x", orrery.Error),
                            (f"tcp://127.0.0.1:{free_port()}", orrery.NoSuchRun), ("tcp://nowhere", orrery.Error)):
            with self.assertRaises(kind) as caught:
                orrery.attach(where)
            self.assertOneLine(caught, where)
        with self.assertRaises(orrery.Error):
            orrery.attach("nobody", reading="some")

    def test_network_gives_the_frames_of_memory(self):
        address = f"tcp://127.0.0.1:{free_port()}"
        for form in ("float32", "fixed16"):
            with orrery.run("stress", entities=500, ticks=60, lockstep=True, unpaced=True, wait_for=2, listen=address,
                            format=form) as run:
                with run.attach() as near, orrery.attach(address, wait=5) as far:
                    self.assertEqual(near.layout.columns, far.layout.columns)
                    for count, (other, one) in enumerate(zip(far, near), 1):
                        self.assertEqual((one.sequence, one.state_hash), (other.sequence, other.state_hash))
                        for a, b in zip(one.columns, other.columns):
                            self.assertTrue(np.array_equal(a.values, b.values))
                            self.assertEqual(a.values.dtype, "<i2" if form == "fixed16" and a.unit else "<f4")
                        self.assertTrue(np.array_equal(one["x"], other["x"]))
                        of_frame = orrery.Layout.of_frame(bytes(other._buffer), b"")
                        self.assertEqual(of_frame.columns, near.layout.columns)
                        if one.sequence == 60:
                            near.close()  # The sim ends when both have reported their last frame.
                    self.assertEqual((count, far.ended, far.missed), (60, True, 0))

    def test_killed_sim_is_noticed_over_the_network(self):
        address = f"tcp://127.0.0.1:{free_port()}"
        run = orrery.run("planets", listen=address)
        frames = orrery.attach(address, wait=5)
        frames.next()
        os.kill(run.pid, signal.SIGKILL)
        with self.assertRaises(orrery.SimDied) as caught:
            for _ in frames:
                pass
        self.assertOneLine(caught, address)

    def test_frame_that_takes_seconds_is_no_silence(self):
        port = free_port()
        with orrery.run("stress", entities=120_000, rate=1, listen=f"tcp://127.0.0.1:{port}"):
            with SlowLink(port, 200_000) as address, orrery.attach(address, wait=30) as frames:
                self.assertGreater(frames.layout.frame_bytes, 3 * 200_000)
                self.assertGreater(frames.next(timeout=60).sequence, 0)

    def test_keys_let_in(self):
        address = f"tcp://127.0.0.1:{free_port()}"
        subprocess.run([program(), "keygen", self.path("keys")], check=True, capture_output=True)
        with orrery.run("planets", listen=address, keys=self.path("keys")):
            with orrery.attach(address, keys=self.path("keys"), reading="newest", wait=5) as frames:
                self.assertGreater(frames.next().sequence, 0)
            with orrery.control(address, keys=self.path("keys")) as control:
                self.assertTrue(control.pause()["paused"])
            with self.assertRaises(orrery.NoSuchRun):
                orrery.attach(address)


if __name__ == "__main__":
    unittest.main()
