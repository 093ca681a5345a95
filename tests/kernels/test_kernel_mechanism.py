"""How kernels are declared, compiled, kept on disk, shared among threads, and run by CUDA's simulator."""

from __future__ import annotations

import doctest
import importlib
import multiprocessing
import os
import pkgutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import mummer.kernels as kernels
from mummer.errors import InputError, MissingExtraError, UnknownNameError
from mummer.kernels import KERNELS, choose_place, compiled, cpu, fk_rigid, kernel
from mummer.kernels.arguments import Floats1, Output1, Parents
from mummer.kernels.linking import fingerprint, helpers_of
from mummer.kernels.threads import share_out

FOLDER = Path(__file__).parent


def twice(x: float) -> float:
    return once(x) + once(x)


def once(x: float) -> float:
    return x


@kernel
def double_items(item: int, values: Floats1, doubled: Output1) -> None:
    doubled[item] = twice(values[item])


@compiled
def last_parent(parents: Parents, values: Floats1) -> float:
    return parents[-1] + values[0]


def run_python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        cwd=FOLDER,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_a_kernel_does_its_items_with_helpers_of_helpers(dtype, count):
    values, doubled = np.arange(count, dtype=dtype), np.empty(count, dtype)
    choose_place(None, values).run(double_items, count, values, doubled, grain=7)
    np.testing.assert_array_equal(doubled, 2 * values)
    assert repr(double_items) == "<kernel double_items(values, doubled)>"


INSPECT = """
import sys, mummer.kernels
for name in sys.argv[1].split() if len(sys.argv) > 1 else mummer.kernels.KERNELS:
    code = "".join(mummer.kernels.KERNELS[name].loop("float32").inspect_llvm().values())
    print(name, "fmul contract double" in code, "fmul contract" in code)
"""


@pytest.mark.parametrize(
    "names", ["skin_dual_vertices fk_affine_frames", pytest.param("", marks=pytest.mark.slow, id="every kernel")]
)
def test_float32_stays_float32_but_where_it_is_widened_on_purpose(names, tmp_path):
    code = INSPECT if not names else f"import sys; sys.argv = ['', {names!r}]\n{INSPECT}"
    rows = [line.split() for line in run_python(code, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()]
    assert {name for name, doubles, _ in rows if doubles == "True"} <= {"rigid_parts"}
    assert sum(multiplies == "True" for _, _, multiplies in rows) >= 2  # else the search above proves nothing


def test_a_compiled_function_takes_its_declared_types_alone():
    function = last_parent.at(np.dtype(np.float64))
    assert function(np.array([3, 4]), np.array([0.5])) == 4.5
    with pytest.raises(TypeError, match="No matching definition"):
        function(np.array([3, 4]), np.array([0.5], np.float32))


OUTSIDE = """
import numpy as np
from test_kernel_mechanism import read_at
try:
    read_at.at("float64")(np.array([2]), np.zeros(2))
except IndexError as error:
    print("refused:", error)
"""


@compiled
def read_at(places: Parents, values: Floats1) -> float:
    return values[places[0]]


def test_bounds_are_checked_when_asked_and_such_code_is_kept_apart(tmp_path):
    """The same folder serves both: neither ever runs the code of the other."""
    said = [
        run_python(OUTSIDE, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK=asked) for asked in ("1", "0", "1", "0")
    ]
    assert said == ["refused: index is out of bounds\n", ""] * 2


def test_a_parameter_without_a_type_is_refused_when_the_module_is_read():
    with pytest.raises(TypeError, match="kernel 'vague': parameter 'values' needs a type"):

        @kernel
        def vague(item: int, values: list) -> None:
            values[item] = 0


def test_helpers_are_found_and_their_sources_make_the_name_under_which_code_is_kept(tmp_path):
    assert helpers_of(double_items.body) == {"twice": twice}
    assert fingerprint(double_items.body) == fingerprint(once)  # one file
    scope: dict = {"twice": twice}
    path = tmp_path / "elsewhere.py"
    path.write_text("def f(x):\n    return twice(x)\n")
    exec(compile(path.read_text(), str(path), "exec"), scope)
    before = fingerprint(scope["f"])
    path.write_text(path.read_text() + "# changed\n")
    assert before != fingerprint(scope["f"]) != fingerprint(once)


def test_every_kernel_of_the_package_is_registered_by_being_there():
    for module in pkgutil.iter_modules(kernels.__path__):
        importlib.import_module(f"mummer.kernels.{module.name}")
    assert {"fk_rigid_frames", "fk_affine_frames", "skin_linear_vertices", "skin_dual_vertices", "morph_runs"} <= set(
        KERNELS
    )
    assert all(KERNELS[name].name == name for name in KERNELS)


def test_the_examples_in_the_docstrings_run():
    modules = [importlib.import_module(f"mummer.kernels.{m.name}") for m in pkgutil.iter_modules(kernels.__path__)]
    results = [doctest.testmod(module) for module in modules]
    assert sum(result.attempted for result in results) > 8
    assert not any(result.failed for result in results)


def test_importing_the_kernels_imports_no_numba_and_compiles_nothing():
    heavy = run_python(
        "import sys, mummer.kernels; print([name for name in sys.modules if name in ('numba', 'llvmlite', 'scipy')])"
    )
    assert heavy.strip() == "[]"


def test_public_names_exist_and_are_sorted():
    assert all(hasattr(kernels, name) for name in kernels.__all__)
    assert kernels.__all__ == sorted(kernels.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name))


# ---- the cache --------------------------------------------------------------------------------

COUNT_HITS = """
import numpy as np
from mummer.kernels.morph import morph, morph_runs
morph(np.zeros((1, 3)), np.ones((1, 1, 3)), [1.0])
stats = morph_runs.loop("float64").stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def test_compiled_code_is_kept_for_the_next_process(tmp_path):
    assert run_python(COUNT_HITS, NUMBA_CACHE_DIR=str(tmp_path)).split() == ["0", "1"]
    assert run_python(COUNT_HITS, NUMBA_CACHE_DIR=str(tmp_path)).split() == ["1", "0"]


def test_kept_code_is_read_without_its_helpers(monkeypatch):
    values, doubled = np.arange(5.0), np.zeros(5)
    choose_place(None, values).run(double_items, 5, values, doubled)

    def refuse(*_: object) -> None:
        raise AssertionError("helpers are linked to compile, not to read")

    monkeypatch.setattr(cpu, "linked", refuse)
    loop = cpu.compile_loop(double_items.body, double_items.arguments, "float64")
    loop(0, 5, values + 1.0, doubled)
    np.testing.assert_array_equal(doubled, 2.0 * (values + 1.0))


def test_without_a_folder_to_write_to_it_compiles_for_this_process():
    nowhere = "from numba.core import caching\ncaching.CompileResultCacheImpl._locator_classes = []\n"
    kind = "print(type(morph_runs.loop('float64')._cache).__name__)"
    assert run_python(COUNT_HITS + kind).split()[-1] == "KeptCode"
    assert run_python(nowhere + COUNT_HITS + kind).split()[-1] == "NullCache"


def test_processes_that_start_together_share_one_cache(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COUNT_HITS]
    started = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    counts = sorted(process.communicate(timeout=300)[0].split() for process in started)
    assert counts == [["0", "1"], ["1", "0"], ["1", "0"]]


# ---- threads ----------------------------------------------------------------------------------


def workload():
    rng = np.random.default_rng(0)
    turns = rng.normal(size=(20_000, 3, 4))
    return np.array([-1, 0, 1]), turns, rng.normal(size=(3, 3)), rng.normal(size=(20_000, 3))


def checksum(_: int = 0) -> float:
    return float(np.abs(fk_rigid(*workload())[0]).sum())


def test_every_item_is_done_once_whatever_the_pieces():
    for count, grain in ((0, 1), (1, 1), (10, 3), (100, 1), (101, 100)):
        done: list[int] = []
        share_out(lambda start, stop, done: done.extend(range(start, stop)), count, grain, (done,))
        assert sorted(done) == list(range(count))


def test_an_error_in_a_piece_reaches_the_caller():
    def fail(start: int, stop: int) -> None:
        raise ValueError("stop here")

    with pytest.raises(ValueError, match="stop here"):
        share_out(fail, 100, 1, ())


def test_several_python_threads_may_call_at_once():
    want = checksum()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(checksum, range(8))) == [want] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_computes_as_well():
    want = checksum()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(checksum, range(4)) == [want] * 4


def test_one_thread_and_many_give_the_same_bits():
    code = "import test_kernel_mechanism as t, mummer.kernels as k; print(k.thread_count(), t.checksum().hex())"
    one, three = (run_python(code, NUMBA_NUM_THREADS=n).split() for n in ("1", "3"))
    assert (one[0], three[0]) == ("1", "3")
    assert one[1] == three[1] == checksum().hex()


# ---- where it runs ----------------------------------------------------------------------------


def test_a_backend_that_does_not_exist_is_named_with_the_closest():
    with pytest.raises(UnknownNameError, match=r"mummer.kernels has no backend 'cudo'; closest: 'cuda'"):
        choose_place("cudo")  # type: ignore[arg-type]


def test_cuda_without_a_gpu_says_what_to_install():
    code = (
        "from mummer.kernels import choose_place\nfrom mummer.errors import MissingExtraError\n"
        "try:\n choose_place('cuda')\nexcept MissingExtraError as error:\n print(error)"
    )
    said = run_python(code, NUMBA_ENABLE_CUDASIM="0", CUDA_VISIBLE_DEVICES="")
    assert "needs the extra 'cuda'" in said
    assert issubclass(MissingExtraError, ImportError)


def test_an_array_on_a_device_is_not_computed_on_the_cpu():
    class OnDevice:
        __cuda_array_interface__ = None

    with pytest.raises(InputError, match="live on a GPU"):
        choose_place("cpu", OnDevice())


def test_cuda_gives_what_the_cpu_gives_in_the_simulator():
    said = run_python("import simulated_cuda; simulated_cuda.main()", NUMBA_ENABLE_CUDASIM="1")
    assert said.split() == ["host", "device", "given", "errors"]
