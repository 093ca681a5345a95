"""Steps that several readers share on the way from a file's arrays to a character."""
