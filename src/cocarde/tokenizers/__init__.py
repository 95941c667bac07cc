from cocarde.tokenizers.base import Tokenizer


def get(x):
    return x if isinstance(x, Tokenizer) else Tokenizer(x)


def name_from_signature(x):
    return x
