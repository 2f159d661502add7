"""The index of names of allocations, written without nomadspec and asked by it."""

import json
import sys


class Names:
    """Which indexes of a group are in use, and by how many allocations more than one."""

    def __init__(self, asked: dict) -> None:
        self.prefix, self.count = f"{asked['job']}.{asked['group']}", asked["count"]
        held = [self.read(name) for name in asked["existing"]]
        self.used = set(held)
        self.extra = {index: held.count(index) - 1 for index in self.used if held.count(index) > 1}

    def read(self, name: str) -> int:
        digits = name[len(self.prefix) + 1 : -1]
        return int(digits) if digits.isdecimal() else 0

    def show(self) -> dict:
        return {"used": sorted(self.used), "duplicates": {str(key): more for key, more in self.extra.items()}}

    def list_free(self, *taken: int) -> list[int]:
        return [index for index in range(self.count) if index not in self.used and index not in taken]

    def do(self, asked: dict) -> dict:
        """Do one operation and give its answer."""
        if asked["op"] in {"unset", "is-duplicate"}:
            return self.answer_about(asked["op"], asked["index"])
        if asked["op"] == "highest":
            chosen = sorted(self.used)[::-1][: asked["n"]]
            self.used -= set(chosen)
        elif asked["op"] == "next":
            free = self.list_free()[: asked["n"]]
            chosen = [*free, *range(asked["n"] - len(free))]
            self.used |= set(chosen)
        else:
            chosen = self.choose_canaries(asked)
        return {"answer": [f"{self.prefix}[{index}]" for index in chosen]}

    def answer_about(self, operation: str, index: int) -> dict:
        before = index in self.extra
        if operation == "is-duplicate":
            return {"answer": before, "is_duplicate_after": before}
        if not before:
            self.used -= {index}
        elif self.extra[index] == 1:  # of three uses none is ever given back
            del self.extra[index]
        return {"is_duplicate_before": before, "is_duplicate_after": index in self.extra}

    def choose_canaries(self, asked: dict) -> list[int]:
        existing = {self.read(name) for name in asked["existing_canaries"]}
        replaced = {index for name in asked["destructive"] if (index := self.read(name)) < self.count}
        first = sorted(replaced - existing)[: asked["n"]]
        marked = [*first, *self.list_free(*existing, *first)[: asked["n"] - len(first)]]
        self.used |= set(marked)
        return [*marked, *range(self.count, self.count + asked["n"] - len(marked))]


def answer(asked: dict) -> dict:
    """Answer one question: what an index is at first, and after each operation."""
    names = Names(asked)
    first = names.show()
    return {"initial": first, "ops": [{**names.do(each), "state": names.show()} for each in asked["ops"]]}


json.loads(sys.stdin.readline())  # who asks, and by which rules
print('{"protocol": "nomadspec-conform/1", "name": "names in Python", "kinds": ["alloc-names"]}', flush=True)
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "answer": answer(question["question"])}), flush=True)
