"""Generated hostile input for every native entry point and every reader.

`targets` says what is done with some bytes, `run` makes bytes and hands them over: `make fuzz`. What
was found once lies in `corpus/TARGET/` and is tried by tests/native/test_fuzz.py in every run of the
tests, under the sanitizers too.
"""
