package dev.orderly.cluster;

import dev.orderly.cluster.JobRecords.Run;
import dev.orderly.cluster.JobRecords.Settled;
import dev.orderly.job.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the handlers' records with the outcomes in the store.
 *
 * <p>A <em>stale</em> run belongs to a node that was paused or cut off, and to an attempt that a later attempt has
 * followed: the node could not know. It may overlap other runs, and its ending must not count.
 */
final class JobChecker {
    /** The time until a dead node's jobs start elsewhere. */
    static final Duration RECOVERY = Duration.ofSeconds(35);
    /** A node that was away learns of it with its next heartbeat, and ends its runs then. */
    private static final long WAKING = Duration.ofSeconds(10).toNanos();
    private static final int MOST = 20;

    private final JobRecords records;
    private final List<Trouble> troubles;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private int stale;
    private long slowest;
    private int most;

    /** The outcome of a job in the store. */
    record Outcome(String job, boolean done, int attempt, int failures, boolean crashed) {}

    /** A fault injected into a node, and its moments. */
    record Trouble(String node, Kind kind, long from, long until) {
        enum Kind {
            KILLED, PAUSED, CUT
        }
    }

    /**
     * @param problems broken promises, a bounded number of each kind; empty if there is none
     * @param stale runs of nodes that were away, followed by a later attempt
     * @param late endings that the store did not accept
     * @param orphans runs that ended with their node
     * @param most the most jobs that ran at once under the limit
     * @param recovery the longest time from a kill until a job of the killed node started elsewhere
     */
    record Findings(List<String> problems, int runs, int failed, int stale, long late, long orphans, int most,
            Duration recovery) {}

    private JobChecker(JobRecords records, List<Trouble> troubles) {
        this.records = records;
        this.troubles = troubles;
    }

    /**
     * @param pushed ids that pushes returned, each once
     * @param outcomes all ended jobs, as listed by the store
     */
    static Findings check(Set<String> pushed, List<Outcome> outcomes, JobRecords records, List<Trouble> troubles) {
        JobChecker checker = new JobChecker(records, troubles);
        checker.oneOutcomeEach(pushed, outcomes);
        checker.acceptedWhatRan();
        checker.acceptedOnce();
        checker.inOrder();
        checker.recovered();
        checker.limited();
        return new Findings(checker.problems, records.runs().size(),
                (int) records.runs().stream().filter(run -> ended(run, "failed")).count(), checker.stale,
                records.settled().stream().filter(each -> !each.accepted()).count(),
                records.runs().stream().filter(run -> run.end() == null).count(), checker.most,
                Duration.ofNanos(checker.slowest));
    }

    private void oneOutcomeEach(Set<String> pushed, List<Outcome> all) {
        for (Outcome outcome : all) {
            if (outcomes.put(outcome.job(), outcome) != null) {
                problem("two outcomes", outcome.job());
            }
            if (!pushed.contains(outcome.job())) {
                problem("nobody pushed", outcome.job());
            }
        }
        pushed.stream().filter(job -> !outcomes.containsKey(job)).forEach(job -> problem("no outcome", job));
        records.runs().stream().map(Run::job).distinct().filter(job -> !pushed.contains(job))
                .forEach(job -> problem("ran, and nobody pushed it", job));
    }

    /** The accepted attempt ran to its end, once, and no attempt came after it. */
    private void acceptedWhatRan() {
        Map<String, List<Run>> byJob = records.runs().stream().collect(Collectors.groupingBy(Run::job));
        outcomes.values().forEach(outcome -> {
            List<Run> runs = byJob.getOrDefault(outcome.job(), List.of());
            List<Run> accepted = runs.stream().filter(run -> run.attempt() == outcome.attempt()).toList();
            if (runs.stream().map(Run::attempt).distinct().count() < runs.size()) {
                problem("one attempt ran twice", runs);
            }
            if (runs.stream().anyMatch(run -> run.attempt() > outcome.attempt())) {
                problem("ran after its outcome was accepted", runs);
            }
            if (outcome.done() && accepted.stream().noneMatch(run -> ended(run, "ok"))) {
                problem("done, and the log of the attempt does not say so", outcome);
            }
            long failed = runs.stream().filter(run -> ended(run, "failed")).count();
            if (!outcome.done() && !outcome.crashed()
                    && (outcome.failures() != JobNode.ATTEMPTS || failed < outcome.failures()
                            || accepted.stream().noneMatch(run -> ended(run, "failed")))) {
                problem("a dead letter before its attempts were spent", outcome);
            }
            if (outcome.done() && runs.stream().anyMatch(run -> JobNode.isDoomed(run.number()))) {
                problem("done, and it always fails", outcome);
            }
        });
    }

    private void acceptedOnce() {
        records.settled().stream().filter(each -> each.accepted() && each.isFinal())
                .collect(Collectors.groupingBy(Settled::job)).forEach((job, all) -> {
                    Outcome outcome = outcomes.get(job);
                    if (all.size() > 1) {
                        problem("two endings accepted", all);
                    } else if (outcome != null && (all.getFirst().attempt() != outcome.attempt()
                            || all.getFirst().ending().equals("Done") != outcome.done())) {
                        problem("another ending than the one accepted", all + " " + outcome);
                    }
                });
    }

    /** Jobs of a group run one at a time in push order, and attempts of a job one at a time. */
    private void inOrder() {
        records.runs().stream().collect(Collectors.groupingBy(run -> run.group().isEmpty() ? run.job() : run.group()))
                .values().forEach(runs -> {
                    List<Run> inOrder = runs.stream()
                            .sorted(Comparator.comparingLong(Run::sequence).thenComparingInt(Run::attempt)).toList();
                    oneAtATime(inOrder);
                    afterTheOneBefore(inOrder);
                    numbersRise(inOrder);
                });
    }

    private void oneAtATime(List<Run> inOrder) {
        long free = Long.MIN_VALUE;
        for (Run run : inOrder) {
            if (isStale(run)) {
                stale++;
                continue;
            }
            if (run.start() < free) {
                problem("started while one before it ran", run);
            }
            free = Math.max(free, endOf(run));
        }
    }

    /** Stale or not: no attempt of a job starts before the outcome of the previous job. */
    private void afterTheOneBefore(List<Run> inOrder) {
        long accepted = Long.MIN_VALUE;
        long before = Long.MIN_VALUE;
        String job = "";
        for (Run run : inOrder) {
            if (!run.job().equals(job)) {
                before = accepted;
                job = run.job();
            }
            if (run.start() < before) {
                problem("started before the job before it was accepted", run);
            }
            Outcome outcome = outcomes.get(run.job());
            if (outcome != null && outcome.attempt() == run.attempt()) {
                accepted = Math.max(accepted, endOf(run));
            }
        }
    }

    private void numbersRise(List<Run> inOrder) {
        Map<String, Run> last = new HashMap<>();
        for (Run run : inOrder) {
            Run before = last.put(run.pusher(), run);
            boolean same = before != null && before.job().equals(run.job());
            if (before != null && !same && run.number() <= before.number() && !run.group().isEmpty()) {
                problem("pushed before " + before.number() + " and sorted behind it", run);
            }
        }
    }

    /** Jobs of a killed node start elsewhere in time. */
    private void recovered() {
        Map<String, List<Run>> byJob = records.runs().stream().collect(Collectors.groupingBy(Run::job));
        for (Run lost : records.runs()) {
            Trouble killed = lost.end() == null ? trouble(lost.node(), Trouble.Kind.KILLED) : null;
            if (lost.end() == null && killed == null) {
                problem("has no end, and its node was not killed", lost);
            } else if (killed != null) {
                Outcome outcome = outcomes.get(lost.job());
                Run next = byJob.getOrDefault(lost.job(), List.of()).stream()
                        .filter(run -> run.attempt() > lost.attempt()).min(Comparator.comparingInt(Run::attempt))
                        .orElse(null);
                boolean poison = outcome != null && outcome.crashed();
                long took = next == null ? Long.MAX_VALUE : next.start() - killed.from();
                if (!poison && took > RECOVERY.toNanos()) {
                    problem("did not start again in time after its node's death", lost + " then " + next);
                }
                slowest = Math.max(slowest, poison || next == null ? 0 : took);
            }
        }
    }

    /** Under the limit, and of each key, no more run at once, and no more start in any span of the period. */
    private void limited() {
        List<Run> runs = records.runs().stream()
                .filter(run -> run.pusher().startsWith(JobNode.LIMITED_PUSHER) && !isStale(run))
                .sorted(Comparator.comparingLong(Run::start)).toList();
        most = limited("the limit", runs, JobNode.LIMIT);
        runs.stream().collect(Collectors.groupingBy(run -> JobNode.key(run.number())))
                .forEach((key, own) -> limited(key, own, JobNode.PER_KEY));
    }

    /** @param runs by their start */
    private int limited(String what, List<Run> runs, Limit limit) {
        int highest = 0;
        for (int n = 0; n < runs.size(); n++) {
            Run run = runs.get(n);
            int atOnce = (int) runs.subList(0, n + 1).stream().filter(each -> endOf(each) > run.start()).count();
            if (atOnce > limit.concurrency()) {
                problem(atOnce + " run at once under " + what, run);
            }
            highest = Math.max(highest, atOnce);
            int before = n - limit.starts();
            if (before >= 0 && run.start() - runs.get(before).start() < limit.period().toNanos()) {
                problem("more than " + limit.starts() + " start within the period of " + what, run);
            }
        }
        return highest;
    }

    private boolean isStale(Run run) {
        Outcome outcome = outcomes.get(run.job());
        boolean followed = outcome == null || run.attempt() < outcome.attempt();
        return followed && troubles.stream().anyMatch(each -> each.node().equals(run.node())
                && each.kind() != Trouble.Kind.KILLED && run.start() <= each.until() + WAKING
                && endOf(run) >= each.from());
    }

    private long endOf(Run run) {
        if (run.end() != null) {
            return run.end().at();
        }
        Trouble killed = trouble(run.node(), Trouble.Kind.KILLED);
        return killed == null ? Long.MAX_VALUE : killed.from();
    }

    private @Nullable Trouble trouble(String node, Trouble.Kind kind) {
        return troubles.stream().filter(each -> each.node().equals(node) && each.kind() == kind).findFirst()
                .orElse(null);
    }

    private static boolean ended(Run run, String how) {
        return run.end() != null && run.end().how().equals(how);
    }

    private void problem(String rule, Object what) {
        if (problems.stream().filter(each -> each.startsWith(rule + ": ")).count() < MOST) {
            problems.add(rule + ": " + what);
        }
    }
}
