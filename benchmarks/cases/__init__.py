"""One file a case; each has a function ``cases()``. A file here is found by being here."""
