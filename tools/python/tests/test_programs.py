# SPDX-License-Identifier: Apache-2.0
"""Runs are started, steered and ended; failures of programs are errors of one line; a frame is a picture."""
import os
import sys
import unittest
from unittest import mock
from xml.etree import ElementTree

import numpy as np

import orrery
from support import TestCase, samples


class ProgramTests(TestCase):
    def test_run_is_steered_and_ended_in_order(self):
        with orrery.run("planets", columns=["x", "rotation"]) as run, run.control() as control:
            self.assertTrue(control.pause()["paused"])
            tick = control.stats()["tick"]
            self.assertEqual(control.step(3)["tick"], tick + 3)
            self.assertEqual(control.seek(tick=600)["tick"], 600)
            self.assertEqual(control.seek(seconds=2)["tick"], 120)
            self.assertEqual(control.speed(2)["speed"], 2)
            control.set("Mars.panel", rotation=1.5)
            control.toggle("Mars", animation="spring()")
            control.step()
            frame = control.snapshot()
            self.assertEqual(frame["rotation"][frame.layout.entity("Mars.panel")], 1.5)
            for wrong in (lambda: control.set("Nobody", x=1), lambda: control.speed(0), control.keep):
                with self.assertRaises(orrery.Refused) as caught:
                    wrong()
                self.assertOneLine(caught)
            self.assertFalse(control.resume()["paused"])
        self.assertEqual(run.report["schema"], "orrery.sim.v2")
        self.assertEqual(os.listdir(self.path("run/orrery")), [])
        with self.assertRaises(orrery.NoSuchRun):
            orrery.control(run.name)

    def test_run_can_be_quit(self):
        with orrery.run("flags") as run:
            with run.control() as control:
                control.quit()
            self.assertGreaterEqual(run.wait(60)["frames"], 0)

    def test_whole_run_leaves_its_files(self):
        with orrery.run("planets", run="film", out=self.folder, ticks=10, lockstep=True) as run:
            run.wait()
        self.assertEqual(len(list(orrery.open(self.path("film.mcap")))), 10)

    def test_run_that_fails(self):
        for settings, code, word in (({"scene": "nosuch"}, 64, "nosuch"), ({"scene": "flags", "rate": -1}, 64, "rate"),
                                     ({"scene": "flags", "nonsense": 1}, 64, "nonsense")):
            with self.assertRaises(orrery.ProgramFailed) as caught:
                orrery.run(**settings)
            self.assertEqual(caught.exception.exit_code, code)
            self.assertOneLine(caught, word)
        with mock.patch.dict(os.environ, {"ORRERY_BIN": self.folder}), self.assertRaises(orrery.NotInstalled) as caught:
            orrery.run("flags")
        self.assertOneLine(caught, "ORRERY_BIN")

    def test_values_of_curves(self):
        answer = orrery.eval(curve="linear", at=np.array([0, 0.25, 1]))
        self.assertEqual(answer["values"].tolist(), [0, 0.25, 1])
        spring = orrery.eval({"spring": "spring(duration: 0.5)"}, at=[0.1], path="kernel")
        self.assertEqual(spring["values"].dtype, np.float64)
        self.assertEqual(spring["mass"], 1)
        with self.assertRaises(orrery.Error) as caught:
            orrery.eval(curve="wobbly", at=[0])
        self.assertOneLine(caught, "wobbly")

    def test_picture_has_entities_where_they_are_drawn(self):
        with orrery.run("planets", step=False) as run, run.control() as control:
            control.pause()
            control.seek(tick=600)
            frame = control.snapshot()
        at = orrery.positions(frame)
        for sample in samples("planets", 10, "--world"):
            found = [at[name][sample["entity"]] for name in ("x", "y", "opacity", "rotation")]
            self.assertTrue(np.allclose(found, [sample[n] for n in ("x", "y", "opacity", "rotation")], atol=1e-3),
                            (found, sample))
        picture = ElementTree.fromstring(frame._repr_svg_())
        self.assertGreater(len(picture.findall(".//{*}circle")), 0)

    def test_picture_scales_flags_to_their_width(self):
        with orrery.run("flags", ticks=1, wait_for=1) as run, run.attach() as frames:
            frame = frames.next().copy()
        widths = [element.text.width for sprite in frame.layout.scene.sprites for element in sprite.elements
                  if element.text.width]
        picture = ElementTree.fromstring(frame._repr_svg_())
        self.assertEqual((picture.get("width"), picture.get("height")), ("640", "360"))
        flags = [text for text in picture.findall(".//{*}text") if text.get("textLength")]
        self.assertGreater(len(widths), 0)
        for flag in flags:
            self.assertTrue(any(abs(float(flag.get("textLength")) - width) < 0.01 for width in widths))
            self.assertEqual(flag.get("dominant-baseline"), "central")
        self.assertGreaterEqual(len(flags), 12)

    def test_live_view_needs_its_package(self):
        with mock.patch.dict(sys.modules, {"anywidget": None}), self.assertRaises(orrery.NotInstalled) as caught:
            orrery.live("planets")
        self.assertOneLine(caught, "pip install anywidget")


if __name__ == "__main__":
    unittest.main()
