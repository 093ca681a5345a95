"""Actions, properties, character sketches and the planner that makes them clips.

A script is actions in tracks; a sketch says how a character does whatever it does; a plan is what becomes of both: what
every degree of freedom of a body does when. Executed, it is a clip. Any motion can be read back and sketched.
"""

from mummer.lazy import lazily

__all__ = lazily(__name__)
