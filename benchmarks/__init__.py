"""What is timed, each case beside its peers or its limit in the same run: ``python -m benchmarks [case…] [--json]``."""
