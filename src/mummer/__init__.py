"""Any body gives any performance: recognise, retarget and animate any rigged character."""

from __future__ import annotations

__version__ = "0.1.0"
