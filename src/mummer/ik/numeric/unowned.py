"""Arrays that nobody counts references to.

Compiled code counts the references to every array that it passes on, with an atomic addition each time; in the small
loops of the core that took a third of the time. What is made here looks at the memory of another array and is not
counted: whoever makes it keeps the other array until the end.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from mummer.ik.numeric.arguments import Body, Work


class _Unowned:
    """The same numbers, not counted. Called by Python itself, it gives the array as it is.

    It is an object and not a function, so that compiled code asks it what it is, and only then numba is needed.
    """

    def __call__(self, array: Any) -> Any:
        return array

    @property
    def _numba_type_(self) -> Any:
        """What compiled code takes this for."""
        return _type_of_compiled()


unowned = _Unowned()


@cache
def _type_of_compiled() -> Any:
    """Numba's type of a function that builds an array which knows no owner."""
    import numba.core.typing.templates
    import numba.np.arrayobj

    arrays: Any = numba.np.arrayobj
    templates: Any = numba.core.typing.templates

    def type_and_build(_: Any, array: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            given = arrays.make_array(signature.args[0])(context, builder, arguments[0])
            made = arrays.make_array(signature.return_type)(context, builder)
            fields = {"data": given.data, "shape": given.shape, "strides": given.strides, "itemsize": given.itemsize}
            arrays.populate_array(made, **fields, meminfo=None)
            return made._getvalue()

        return array(array), build

    return numba.types.Function(templates.make_intrinsic_template(unowned, type_and_build, "unowned"))


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
