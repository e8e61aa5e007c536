#!/usr/bin/env python3
"""Judges a history of `orderly verify-cluster`: python3 referee.py history.jsonl

Each line is one event, in the order in which one process saw them, with `us`, its monotonic microseconds:
  push n group node          before a push is sent; again with the same n, which is its dedupe id, if it is repeated
  accepted n job / failed n  its answer; after `failed` the push may have happened, or not
  begin n job attempt group sequence / end n job attempt ok   a run in the handler; `end` before its answer is sent
  disturb id / disturbed id  a command against the cluster, from its start to its end
  unsigned n job attempt     a request to the handler whose signature is wrong; it was refused
  plan seed signatures       the choices, and whether signatures were checked
  drained pending dead       what the cluster says that it still holds at the end

Exit code 0: no rule is broken, 1: one is, 2: the file is no history.
"""
import collections
import json
import sys


class Job:
    def __init__(self):
        self.sent = self.answered = self.good = self.first = self.last = self.attempt = 0  # line numbers, from 1
        self.group = self.id = self.sequence = None


def judge(lines):
    jobs, broken, groups = collections.defaultdict(Job), [], collections.defaultdict(list)
    counts, pause, since, drained, order = collections.Counter(), 0, None, None, []

    def breach(rule, words, *where):
        broken.append(f"{rule}: {words} (lines {', '.join(map(str, where))})" if where else f"{rule}: {words}")

    for at, event in enumerate(lines, 1):
        op, job = event["op"], jobs[event["n"]] if "n" in event else None
        counts[op] += 1
        if op == "push":
            job.sent, job.group = job.sent or at, event["group"]
        elif op in ("accepted", "begin"):
            if not job.sent:
                breach("not pushed", f"push {event['n']} was never sent", at)
            if job.id not in (None, event["job"]):
                breach("one id", f"push {event['n']} is job {job.id} and job {event['job']}", at)
            job.id = event["job"]
            if op == "accepted":
                job.answered = job.answered or at
                order.append((at, job))
            else:
                if event["attempt"] <= job.attempt:
                    breach("attempts", f"attempt {event['attempt']} of push {event['n']} began after attempt"
                           f" {job.attempt}", job.last, at)
                elif event["group"] != job.group:
                    breach("not pushed", f"push {event['n']} ran in group {event['group']!r}", job.sent, at)
                else:
                    job.first, job.last, job.attempt = job.first or at, at, event["attempt"]
                    job.sequence = int(event["sequence"])
        elif op == "end":
            if event["ok"] and event["attempt"] == job.attempt:
                job.good = at
                pause, since = max(pause, event["us"] - (since or event["us"])), event["us"]
        elif op == "unsigned":
            breach("signature", f"the handler was asked to run push {event['n']} without the signature of a node", at)
        elif op == "drained":
            drained = event

    for n, job in jobs.items():
        if job.answered and not job.good:
            breach("lost", f"push {n} was accepted as job {job.id}, and no run of it ended well", job.answered)
        if job.group and job.first:
            groups[job.group].append((job.sequence, n, job))
    if drained is None or drained["pending"] or drained["dead"]:
        breach("lost", f"the cluster has not drained: {drained}")

    for group, members in groups.items():  # a group runs in the order of its numbers, one job at a time
        before = None
        for _, n, job in sorted(members, key=lambda each: each[:2]):
            if before and job.first < before[1]:
                breach("order", f"push {n} of group {group} began before push {before[2]} did", job.first, before[1])
            elif before and job.first < before[0]:
                breach("overlap", f"push {n} of group {group} began before push {before[2]} had ended well",
                       job.first, before[1])
            settled = (max(job.last, job.good) if job.good else len(lines) + 1, job.last, n)
            before = max(before, settled) if before else settled

    highest, answers = {}, iter(order)  # what was accepted before a push was sent has the lower number
    answer = next(answers, None)
    for n, job in sorted(jobs.items(), key=lambda each: each[1].sent):
        while answer and answer[0] < job.sent:
            known = answer[1]
            if known.group and known.first and known.sequence > highest.get(known.group, (-1,))[0]:
                highest[known.group] = (known.sequence, answer[0])
            answer = next(answers, None)
        if job.group and job.first and job.sequence <= highest.get(job.group, (-1,))[0]:
            breach("number", f"push {n} of group {job.group} has a lower number than one accepted before it was sent",
                   highest[job.group][1], job.sent)
    return broken, counts, pause / 1e6


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        broken, counts, pause = judge(lines)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        print(f"{path} is no history: {problem!r}")
        return 2
    print(f"{len(lines)} events: {counts['push']} pushes sent, {counts['accepted']} accepted, {counts['begin']} runs,"
          f" {counts['disturb']} disturbances; the longest time without a job that ended: {pause:.1f} s")
    for line in broken[:50]:
        print(f"BROKEN {line}")
    print(f"{len(broken)} rules broken" if broken else "No rule is broken.")
    return 1 if broken else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
