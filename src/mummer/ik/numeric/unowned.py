"""Arrays that nobody counts references to.

Compiled code counts the references to every array that it passes on, with an atomic addition each time; in the small
loops of the core that took a third of the time. What is made here looks at the memory of another array and is not
counted: whoever makes it keeps the other array until the end.
"""

from __future__ import annotations

from typing import Any

import numba.extending
import numba.np.arrayobj

from mummer.ik.numeric.arguments import Body, Work

_arrays: Any = numba.np.arrayobj


class _Unowned:
    """The same numbers, not counted. Called by Python itself, it gives the array as it is.

    It is an object and not a function, so that compiled code finds the version below for it.
    """

    def __call__(self, array: Any) -> Any:
        return array


unowned = _Unowned()


def _type_and_build(_: Any, array: Any) -> Any:
    """What numba asks of an intrinsic: its signature, and what builds an array that knows no owner."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = _arrays.make_array(signature.args[0])(context, builder, arguments[0])
        made = _arrays.make_array(signature.return_type)(context, builder)
        fields = {"data": given.data, "shape": given.shape, "strides": given.strides, "itemsize": given.itemsize}
        _arrays.populate_array(made, **fields, meminfo=None)
        return made._getvalue()

    return array(array), build


_same_memory: Any = numba.extending.intrinsic(_type_and_build)


@numba.extending.overload(unowned)
def _unowned(array: Any) -> Any:  # noqa: ARG001
    def look(array: Any) -> Any:
        return _same_memory(array)

    return look


def unowned_body(body: Body) -> Body:
    """The same body, its arrays not counted."""
    return Body(
        unowned(body.joints),
        unowned(body.frames),
        unowned(body.used),
        unowned(body.owner),
        unowned(body.moments),
    )


def unowned_work(work: Work) -> Work:
    """The same room, its arrays not counted."""
    return Work(
        unowned(work.slopes),
        unowned(work.spread),
        unowned(work.spans),
        unowned(work.normal),
        unowned(work.rows),
        unowned(work.dofs),
        unowned(work.dense),
        unowned(work.room),
        unowned(work.normals),
        unowned(work.carried),
        unowned(work.lever),
    )
