"""Speed of cocarde beside its peers, in one run on one machine: `python -m benchmarks`."""
