"""Lets ``python -m mummer.cli`` stand for ``mummer``."""

from mummer.cli.app import main

main()
