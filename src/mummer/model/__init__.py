"""Motion models: classes of action with parameters, performed in styles that are plain files.

A model says what an action is about: its key times, parameters, goals. A style says how it is done: base motions,
each annotated. `act` lets a body do it, and gives an `Action`: a clip, and what must stay true of it.
"""

from mummer.lazy import lazily

__all__ = lazily(__name__)
