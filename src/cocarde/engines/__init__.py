"""The same statistics elsewhere: streams of any size."""
