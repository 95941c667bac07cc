from dataclasses import dataclass
from cocarde import _native


@dataclass(frozen=True)
class Tokenizer:
    name: str
    lowercase_mode: str = "unicode"

    @property
    def signature(self):
        return self.name

    @property
    def native(self):
        return self.name

    def __call__(self, t):
        return _native.tokenize(self.name, t)
