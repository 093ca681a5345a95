"""The command line: one app, one file a command, one place where errors become a line and an exit code.

Exit codes: 0 all went well; 1 some of several inputs failed, or a fault of mummer itself; 2 the input or the
command line was wrong and nothing was made of it; 130 it was interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

# What typer validates options with would look through all that is installed for plugins.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

import typer

from mummer.cli import (
    annotate,
    bml,
    clip,
    convert,
    demo,
    grid,
    inspect,
    judge,
    model,
    perform,
    plan,
    plant,
    play,
    pose,
    recognize,
    render,
    retarget,
    say,
    serve,
    view,
    zoo,
)
from mummer.errors import MummerError, internal_error
from mummer.kernels.notice import on_slow_compiling, sentence

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended, as shells have it; Typer gives the same."""
LEFT = "interrupted; nothing half-written was left"

app = typer.Typer(
    name="mummer",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Any body gives any performance: load any rigged character, look at it, convert it, animate it.",
    epilog="Start with: mummer zoo adult -o adult.glb, then: mummer render adult.glb -o adult.png",
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
        from mummer import __version__

        typer.echo(f"mummer {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


COMMANDS: tuple[Callable[..., Any], ...] = (
    inspect.inspect, recognize.recognize, convert.convert, render.render, clip.clip, plant.plant, pose.pose,
    retarget.retarget, perform.perform, plan.plan, model.model, annotate.annotate, play.play, bml.bml, say.say,
    serve.serve, judge.judge, view.view, grid.grid, zoo.zoo, demo.demo,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code; never shows a traceback unless MUMMER_TRACEBACK is set."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    on_slow_compiling(_say_compiling)
    try:
        code = app(args=None if arguments is None else list(arguments), prog_name="mummer", standalone_mode=False)
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):  # the reader of our output has left, having seen enough
            return 0
        return leaving.code if isinstance(leaving.code, int) else (0 if leaving.code is None else 2)
    except MummerError as error:
        return _say(str(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _say(LEFT, INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has left; let Python close quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if hasattr(error, "format_message"):  # a mistake on the command line itself, as Typer tells it
            return _say(_usage(error), 2)
        return _say(internal_error(error), 1)
    return _say(LEFT, INTERRUPTED) if code == INTERRUPTED else code if isinstance(code, int) else 0


def _usage(error: Any) -> str:
    """What is wrong with a command line, and where to read what would be right."""
    context = getattr(error, "ctx", None)
    command = "mummer" if context is None else context.command_path
    return f"{error.format_message().rstrip()} ({command} --help shows what there is)"


def _say_compiling(kept: bool) -> None:
    _say(sentence(kept), 0)


def _say(message: str, code: int) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"mummer: {line}\n")
    return code
