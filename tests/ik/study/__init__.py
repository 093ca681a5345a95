"""Half a million random problems for every solver, over all bodies there are: ``python -m tests.ik.study``."""
