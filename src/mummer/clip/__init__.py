"""The clip language: everything that moves is a clip, made of clips.

A clip is a pose-valued function of time for one body. Leaves are recordings (`Sampled`), keys (`Keyed`) and single
poses (`Still`); every operator makes a clip of other clips, and most are also methods: ``walk.mirrored().looped(4)``.
"""

from mummer.lazy import lazily

__all__ = lazily(__name__)
