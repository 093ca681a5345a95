"""The properties that ship, one file each: being here is all that makes them known."""
