"""The compiled core of the numerical solvers: one kernel, one item a problem."""
