"""Plain definitions, written from the papers and write-ups: slow, short and obvious."""
