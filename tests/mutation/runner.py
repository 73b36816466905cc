"""Builds and tests one mutant after the other; see run."""
import argparse
import collections
import glob
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import mutate

Test = collections.namedtuple("Test", "name command seconds programs")

# What is not asked: other programs than the library's own tests, and what only repeats under load what others ask.
NOT_ASKED = re.compile(r"^(threads_race|consumers|examples|docs|bench)")
RESULT_FIELDS = ["id", "verdict", "place", "operator", "before", "after", "by"]


def run(command, directory, seconds=600, environment=None):
    """The exit status; a run that takes too long is killed with everything it started."""
    process = subprocess.Popen(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               env={**os.environ, **(environment or {})})
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "timeout"


class Build:
    """A copy of the sources with everything built, in which single files are exchanged."""

    def __init__(self, root, work):
        self.work, self.tree, self.dir = work, os.path.join(work, "tree"), os.path.join(work, "build")
        for old in (self.tree, self.dir):  # what an interrupted run left may hold a mutant
            shutil.rmtree(old, ignore_errors=True)
        for part in ("src", "include", "tests", "cmake"):
            shutil.copytree(os.path.join(root, part), os.path.join(self.tree, part))
        shutil.copy(os.path.join(root, "CMakeLists.txt"), self.tree)
        self.must(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.dir, "-DTERMIVAR_DISTRIBUTED=ON",
                   "-DTERMIVAR_DIST_BUILD_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Checked",
                   "-DCMAKE_C_FLAGS=-O2 -g0", "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        self.must(["cmake", "--build", self.dir, "-j", "1"])
        self.archive = os.path.join(self.dir, "libtermivar_dist.a")
        shutil.copy(self.archive, self.archive + ".base")
        self.compilations = self.read_compilations()
        self.links = {}
        self.stale = set()  # programs that hold a mutant, or an older one
        self.kills = collections.Counter()  # by test, and by test and source
        self.tests = self.read_tests()

    def must(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + "\nfailed: " + shlex.join(command))
        return done.stdout

    def read_compilations(self):
        """Who must be compiled again if a file of src/ changes."""
        by_source = collections.defaultdict(list)
        with open(os.path.join(self.dir, "compile_commands.json"), encoding="utf-8") as file:
            entries = json.load(file)
        for entry in entries:
            command = shlex.split(entry["command"])
            output = os.path.join(self.dir, command[command.index("-o") + 1])
            listing = subprocess.run(command[:command.index("-o")] + ["-MM", entry["file"]], cwd=self.dir,
                                     capture_output=True, text=True, check=True).stdout
            shutil.copy(output, output + ".base")
            for source in glob.glob(os.path.join(self.tree, "src", "*")):
                if source in listing.replace("\\\n", " ").split():
                    by_source[source].append((command, output))
        return by_source

    def link_of(self, program):
        if program not in self.links:
            relative = os.path.relpath(program, self.dir)
            lines = self.must(["ninja", "-C", self.dir, "-t", "commands", "-s", relative]).strip().splitlines()
            self.links[program] = lines[-1]
        return self.links[program]

    def read_tests(self):
        listing = json.loads(subprocess.run(["ctest", "--show-only=json-v1", "-L", "quick"], cwd=self.dir,
                                            capture_output=True, text=True, check=True).stdout)
        tests = []
        for test in listing["tests"]:
            command = test.get("command", [])
            if NOT_ASKED.match(test["name"]) or not command or not command[0].startswith(self.dir):
                continue
            programs = [word for word in command if word.startswith(self.dir) and os.access(word, os.X_OK)
                        and os.path.isfile(word)]
            began = time.monotonic()
            status = run(command, self.dir)
            if status != 0:
                sys.exit(f"{test['name']} fails without any mutant: {status}")
            tests.append(Test(test["name"], command, time.monotonic() - began, programs))
        tests.sort(key=lambda test: test.seconds)
        print("Tests: " + ", ".join(f"{test.name} {test.seconds:.1f} s" for test in tests), flush=True)
        return tests

    def compile(self, source):
        """'compiled', or why there is nothing to test."""
        changed = False
        for command, output in self.compilations[source]:
            if run(command, self.dir) != 0:
                return "stillborn"
            with open(output, "rb") as new, open(output + ".base", "rb") as base:
                changed = changed or new.read() != base.read()
        if not changed:
            return "equivalent"
        shutil.copy(self.archive + ".base", self.archive)
        objects = [output for _, output in self.compilations[source] if "termivar_dist_static.dir" in output]
        if objects and run(["ar", "r", self.archive] + objects, self.dir) != 0:
            sys.exit("ar failed")
        self.stale = {program for test in self.tests for program in test.programs}
        return "compiled"

    def restore(self, source):
        for _, output in self.compilations[source]:
            shutil.copy(output + ".base", output)

    def fails(self, test):
        """What the test says to the mutant: None, or how it failed."""
        for program in test.programs:
            if program in self.stale:
                if run(["sh", "-c", self.link_of(program)], self.dir) != 0:
                    return "does not link"
                self.stale.discard(program)
        status = run(test.command, self.dir, 5 + 10 * test.seconds, {"MALLOC_PERTURB_": "165"})
        return None if status == 0 else str(status)

    def count_kill(self, name, source):
        self.kills[name] += 1
        self.kills[name, source] += 1

    def in_order(self, source):
        """First what has killed most in the least time, in this file above all."""
        def promise(test):
            return (self.kills[test.name, source] + 0.1 * self.kills[test.name] + 0.01) / (test.seconds + 0.1)
        return sorted(self.tests, key=promise, reverse=True)


def numbered(sources):
    """All mutants, each with an identity that survives changes elsewhere in its file."""
    for source in sources:
        with open(source, encoding="utf-8") as file:
            text = file.read()
        seen = collections.Counter()
        for mutant in mutate.mutants_of(text):
            line_begin = text.rfind("\n", 0, mutant.start) + 1
            line = text[line_begin:text.find("\n", mutant.end)]
            key = (os.path.basename(source), line, mutant.start - line_begin, mutant.operator, mutant.text)
            seen[key] += 1
            identity = hashlib.sha1(repr((key, seen[key])).encode()).hexdigest()[:12]
            yield identity, source, text, mutant


def shown(text):
    return re.sub(r"\s+", " ", text).strip() or "(nothing)"


class Results:
    def __init__(self, path):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    row = dict(zip(RESULT_FIELDS, line.rstrip("\n").split("\t")))
                    self.rows[row["id"]] = row

    def add(self, row):
        self.rows[row["id"]] = row
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("\t".join(row[field] for field in RESULT_FIELDS) + "\n")


def place_of(text, mutant):
    """The source lines of a mutant, with what it replaces between marks."""
    begin = text.rfind("\n", 0, mutant.start) + 1
    marked = text[begin:mutant.start] + "«" + text[mutant.start:mutant.end] + "»"
    return re.sub(r"\s+", " ", marked + text[mutant.end:text.find("\n", mutant.end)]).strip()


def read_explanations(path):
    """Each is a line 'file: place' and a line 'after because reason', for mutants that these tests cannot kill."""
    explained, place = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            if place is None:
                place = line.strip()
            else:
                after, reason = line.strip().split(" because ", 1)
                explained[(place, after)] = reason
                place = None
    return explained


def test_mutant(build, source, text, mutant):
    mutated = text[:mutant.start] + mutant.text + text[mutant.end:]
    with open(source, "w", encoding="utf-8") as file:
        file.write(mutated)
    try:
        verdict = build.compile(source)
        if verdict != "compiled":
            return verdict, ""
        for test in build.in_order(source):
            failure = build.fails(test)
            if failure is not None:
                build.count_kill(test.name, source)
                return "killed", f"{test.name} ({failure})"
        return "survived", ""
    finally:
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        build.restore(source)


def report(results, mutants, explained):
    verdicts, survivors = collections.Counter(), []
    for identity, source, text, mutant in mutants:
        row = results.rows.get(identity)
        if row is None:
            verdicts["not yet tested"] += 1
            continue
        line_number = text.count("\n", 0, mutant.start) + 1
        key = (f"{os.path.basename(source)}: {place_of(text, mutant)}", row["after"])
        if row["verdict"] == "survived" and key in explained:
            verdicts["explained"] += 1
            continue
        verdicts[row["verdict"]] += 1
        if row["verdict"] == "survived":
            survivors.append((os.path.basename(source), line_number, *key))
    for name, line_number, place, after in sorted(survivors):
        print(f"survived: src/{name}:{line_number}\n    {place}\n    {after}")
    counted = verdicts["killed"] + verdicts["survived"] + verdicts["explained"]
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    if counted > 0:
        print(f"{verdicts['killed']} of {counted} killed: {100 * verdicts['killed'] / counted:.1f} %")
    return verdicts["survived"] == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("work")
    parser.add_argument("--again", choices=["survivors", "all"], help="forget these results first")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--seconds", type=int, default=1 << 30, help="stop after this time; go on by another run")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    arguments = parser.parse_args()

    os.makedirs(arguments.work, exist_ok=True)
    results_path = os.path.join(arguments.work, "results.tsv")
    if arguments.again == "all" and os.path.exists(results_path):
        os.remove(results_path)
    results = Results(results_path)
    asked_again = set()
    if arguments.again == "survivors":
        asked_again = {key for key, row in results.rows.items() if row["verdict"] == "survived"}
        results.rows = {key: row for key, row in results.rows.items() if key not in asked_again}
    explained = read_explanations(os.path.join(os.path.dirname(os.path.abspath(__file__)), "explained"))

    build = None if arguments.report else Build(arguments.root, os.path.abspath(arguments.work))
    if build:  # what killed in earlier runs promises most in this one, too
        for row in results.rows.values():
            if row["verdict"] == "killed":
                build.count_kill(row["by"].split(" (")[0], os.path.join(build.tree, row["place"].split(":")[0]))
    sources_of = build.tree if build else arguments.root
    sources = sorted(glob.glob(os.path.join(sources_of, "src", "*.[ch]")))
    mutants = [entry for entry in numbered(sources) if arguments.only in os.path.basename(entry[1])]
    # In any order, but always the same: the share among the first so many says something of the whole.
    waiting = [entry for entry in mutants if entry[0] not in results.rows] if build else []
    random.Random(1).shuffle(waiting)
    waiting.sort(key=lambda entry: entry[0] not in asked_again)
    deadline = time.monotonic() + arguments.seconds
    for number, (identity, source, text, mutant) in enumerate(waiting):
        if time.monotonic() > deadline:
            break
        verdict, by = test_mutant(build, source, text, mutant)
        place = f"src/{os.path.basename(source)}:{text.count(chr(10), 0, mutant.start) + 1}"
        before, after = shown(text[mutant.start:mutant.end]), shown(mutant.text)
        results.add({"id": identity, "verdict": verdict, "place": place, "operator": mutant.operator,
                     "before": before, "after": after, "by": by})
        print(f"{number + 1}/{len(waiting)} {verdict}: {place}: {before} -> {after} {by}", flush=True)
    sys.exit(0 if report(results, mutants, explained) else 1)


if __name__ == "__main__":
    main()
