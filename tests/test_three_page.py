"""The three.js page of the docs, as it stands there: its character in Node, the whole page in a browser."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Recording
from mummer.math import quaternion

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "paths" / "three-js.md").read_text()
THREE = ROOT / "tests" / "node" / "node_modules" / "three"
DRIVER = """
import { readFileSync } from 'node:fs';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { Hero } from './hero.js';
globalThis.self = globalThis;
const bytes = readFileSync( 'fox.glb' );
const whole = bytes.buffer.slice( bytes.byteOffset, bytes.byteOffset + bytes.length );
const hero = new Hero( await new GLTFLoader().parseAsync( whole, '' ) );
const joint = hero.object.getObjectByName( 'head' );
const angle = () => 2 * Math.acos( Math.min( 1, Math.abs( joint.quaternion.w ) ) );
hero.play( 'still' ); hero.update( 0.5 ); const still = angle();
hero.play( 'turned' ); hero.update( 0.15 ); const between = angle();
hero.update( 0.3 ); const turned = angle();
let message = ''; try { hero.play( 'wlak' ); } catch ( error ) { message = error.message; }
hero.play( 'still', { once: true } ); hero.update( 9 );
const seen = { names: [ ...hero.actions.keys() ], still, between, turned, message, stays: hero.current.enabled };
console.log( JSON.stringify( seen ) );
"""


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.S | re.M)
    assert found is not None
    return found[1]


def posed(character: Character, name: str, angle: float) -> Recording:
    """A second in which the head is held turned by an angle."""
    head = character.skeleton.index("head")
    pose = character.default_pose
    turn = quaternion.from_axis_angle([0.0, 1.0, 0.0], angle)
    pose = pose.with_rotation(head, quaternion.multiply(turn, pose.rotations[head]))
    poses = mm.Pose(np.stack([pose.rotations] * 2), np.stack([pose.root_translation] * 2))
    return Recording.from_poses(name, [0.0, 1.0], poses)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("node") is None or not THREE.is_dir():
        pytest.skip("three.js is not here: run `make setup`")
    made = tmp_path_factory.mktemp("page")
    (made / "hero.js").write_text(block("js"))
    (made / "index.html").write_text(block("html"))
    (made / "driver.mjs").write_text(DRIVER)
    (made / "package.json").write_text('{"type": "module"}')
    (made / "node_modules").symlink_to(THREE.parent.resolve())
    dog = mm.zoo.body("dog")
    mm.save(dog.replace(recordings=(posed(dog, "still", 0.0), posed(dog, "turned", 1.0))), made / "fox.glb")
    return made


def test_the_character_plays_and_fades_in_three_js(folder: Path) -> None:
    done = subprocess.run(["node", "driver.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["names"] == ["still", "turned"]
    assert seen["still"] == pytest.approx(0.0, abs=1e-3)
    assert seen["between"] == pytest.approx(0.5, abs=0.02)
    assert seen["turned"] == pytest.approx(1.0, abs=1e-3)
    assert seen["message"] == "no clip 'wlak'; there are: still, turned"
    assert seen["stays"]


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    """Where the page is served while a test runs."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_page_shows_its_clips_in_a_browser(address: str, tmp_path: Path) -> None:
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = os.environ.get("MUMMER_CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no browser here: install chromium, or set MUMMER_CHROMIUM to one")
    flags = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    flags += [f"--user-data-dir={tmp_path}", "--virtual-time-budget=5000", "--dump-dom"]
    done = subprocess.run([browser, *flags, address], capture_output=True, text=True, timeout=120, check=False)
    assert re.findall(r"<button>(\w+)</button>", done.stdout) == ["still", "turned"], done.stderr[-2000:]
    assert "<canvas" in done.stdout
