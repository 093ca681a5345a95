"""Lets ``python -m mummer`` stand for ``mummer``."""

from mummer.cli.app import main

main()
