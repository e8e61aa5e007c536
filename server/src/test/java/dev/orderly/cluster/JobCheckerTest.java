package dev.orderly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.cluster.JobChecker.Outcome;
import dev.orderly.cluster.JobChecker.Trouble;
import dev.orderly.cluster.JobChecker.Trouble.Kind;
import dev.orderly.cluster.JobRecords.End;
import dev.orderly.cluster.JobRecords.Run;
import dev.orderly.cluster.JobRecords.Settled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker finds every planted fault, and none in a correct run. Moments are seconds here. */
class JobCheckerTest {
    private static final long SECOND = 1_000_000_000L;

    private final Set<String> pushed = new TreeSet<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<Settled> settled = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();

    /** Three jobs of one group, the second after a failure on another node, and a dead letter. */
    JobCheckerTest() {
        done("a", 1, 1);
        run("n1", "a", 1, 1, 1, 2, "ok");
        done("b", 2, 2);
        run("n1", "b", 2, 1, 2, 3, "failed");
        run("n2", "b", 2, 2, 4, 5, "ok");
        done("c", 3, 1);
        run("n1", "c", 3, 1, 5, 6, "ok");
        pushed.add("d");
        outcomes.add(new Outcome("d", false, JobNode.ATTEMPTS, JobNode.ATTEMPTS, false));
        for (int attempt = 1; attempt <= JobNode.ATTEMPTS; attempt++) {
            run("n2", "d", 399, attempt, 10 + attempt, 10 + attempt, "failed");
        }
    }

    @Test
    void aCorrectRunHasNoProblems() {
        assertThat(problems()).isEmpty();
    }

    @Test
    void tooManyJobsAtOnceUnderALimitAreFound() {
        limited(JobNode.PER_KEY.concurrency(), 0, 10);
        assertThat(problems()).isEmpty();
        limited(1, 5, 6);
        assertThat(problems()).singleElement().asString().startsWith("3 run at once under key0: ");
    }

    @Test
    void tooManyStartsWithinThePeriodOfALimitAreFound() {
        for (int n = 0; n <= JobNode.PER_KEY.starts(); n++) {
            limited(1, n, n);
        }
        assertThat(problems()).isEmpty();
        for (int n = 0; n <= JobNode.PER_KEY.starts(); n++) {
            limited(1, 100, 100);
        }
        assertThat(problems()).singleElement().asString()
                .startsWith("more than " + JobNode.PER_KEY.starts() + " start within the period of key0: ");
    }

    /** Done jobs of one key of the limited queue. */
    private void limited(int jobs, long start, long end) {
        for (int n = 0; n < jobs; n++) {
            String job = "limited" + runs.size();
            pushed.add(job);
            outcomes.add(new Outcome(job, true, 1, 0, false));
            runs.add(new Run("n1", job, 1, "", 0, JobNode.LIMITED_PUSHER + "p", 0, start * SECOND,
                    new End(end * SECOND, "ok")));
        }
    }

    @Test
    void aLostJobIsFound() {
        pushed.add("e");
        assertThat(problems()).containsExactly("no outcome: e");
    }

    @Test
    void aJobDoneTwiceIsFound() {
        outcomes.add(new Outcome("a", true, 1, 0, false));
        assertThat(problems()).containsExactly("two outcomes: a");
    }

    @Test
    void anOutcomeOfAJobThatWasNotPushedIsFound() {
        pushed.remove("a");
        assertThat(problems()).containsExactly("nobody pushed: a", "ran, and nobody pushed it: a");
    }

    @Test
    void anOutcomeWithoutItsRunIsFound() {
        runs.removeIf(run -> run.job().equals("c"));
        assertThat(problems()).singleElement().asString().startsWith("done, and the log of the attempt");
    }

    @Test
    void anOutcomeOfAnAttemptThatFailedIsFound() {
        outcomes.removeIf(outcome -> outcome.job().equals("b"));
        outcomes.add(new Outcome("b", true, 1, 0, false));
        assertThat(kinds()).contains("done, and the log of the attempt does not say so",
                "ran after its outcome was accepted");
    }

    @Test
    void anAttemptGivenToTwoNodesIsFound() {
        run("n2", "a", 1, 1, 1, 2, "ok");
        assertThat(kinds()).contains("one attempt ran twice", "started while one before it ran");
    }

    @Test
    void twoEndingsAcceptedAreFound() {
        settled.add(new Settled("n2", "a", 2, "Done", true));
        assertThat(problems()).singleElement().asString().startsWith("two endings accepted");
    }

    @Test
    void anEndingAcceptedFromTheWrongAttemptIsFound() {
        settled.removeIf(each -> each.job().equals("b"));
        settled.add(new Settled("n1", "b", 1, "Done", true));
        assertThat(problems()).singleElement().asString().startsWith("another ending than the one accepted");
    }

    @Test
    void aDeadLetterTooEarlyIsFound() {
        runs.removeIf(run -> run.job().equals("d") && run.attempt() == 1);
        assertThat(problems()).singleElement().asString().startsWith("a dead letter before");
    }

    @Test
    void jobsThatOverlapAreFound() {
        runs.removeIf(run -> run.job().equals("c"));
        run("n1", "c", 3, 1, 4, 6, "ok");
        assertThat(kinds()).containsExactlyInAnyOrder("started while one before it ran",
                "started before the job before it was accepted");
    }

    @Test
    void aJobThatOvertakesTheRetryOfThePreviousJobIsFound() {
        runs.removeIf(run -> run.job().equals("c"));
        run("n1", "c", 3, 1, 3, 4, "ok");
        assertThat(kinds()).contains("started before the job before it was accepted");
    }

    @Test
    void jobsThatTheStoreSortedAgainstTheirPushOrderAreFound() {
        done("y", 8, 1);
        runs.add(new Run("n1", "y", 1, "g", 8, "p", 2, 30 * SECOND, new End(31 * SECOND, "ok")));
        assertThat(kinds()).containsExactly("pushed before 3 and sorted behind it");
    }

    @Test
    void aRunOfAPausedNodeMayOverlapAndMustNotCount() {
        troubles.add(new Trouble("n1", Kind.PAUSED, 2 * SECOND, 42 * SECOND));
        done("e", 9, 2);
        run("n1", "e", 9, 1, 2, 43, "ok");
        run("n2", "e", 9, 2, 35, 36, "ok");
        settled.add(new Settled("n1", "e", 1, "Done", false));
        JobChecker.Findings findings = check();
        assertThat(findings.problems()).isEmpty();
        assertThat(findings.stale()).isEqualTo(2); // the failed attempt of b was on that node too
        assertThat(findings.late()).isEqualTo(1);
        troubles.clear();
        assertThat(kinds()).contains("started while one before it ran");
    }

    @Test
    void jobsOfAKilledNodeMustStartElsewhereInTime() {
        troubles.add(new Trouble("n3", Kind.KILLED, 20 * SECOND, 20 * SECOND));
        done("e", 9, 2);
        runs.add(new Run("n3", "e", 1, "", 0, "p", 9, 19 * SECOND, null));
        run("n1", "e", 9, 2, 55, 56, "ok");
        assertThat(problems()).isEmpty();
        runs.removeLast();
        run("n1", "e", 9, 2, 56, 57, "ok");
        assertThat(kinds()).containsExactly("did not start again in time after its node's death");
        troubles.clear();
        assertThat(kinds()).contains("has no end, and its node was not killed");
    }

    @Test
    void logsAreReadAsTheyWereWritten(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("log");
        NodeLog written = new NodeLog(log);
        written.write("ready", 1);
        written.write("start", 2, "a", 1, "g", 7, "p", 3);
        written.write("start", 3, "b", 1, "-", 0, "p", 4);
        written.write("end", 4, "a", 1, "ok");
        written.write("settled", 5, "a", 1, "Done", "accepted");
        Files.writeString(log, Files.readString(log) + "end 6 b 1 o");
        assertThat(JobRecords.read(Map.of("n", log))).isEqualTo(new JobRecords(
                List.of(new Run("n", "a", 1, "g", 7, "p", 3, 2, new End(4, "ok")),
                        new Run("n", "b", 1, "", 0, "p", 4, 3, null)),
                List.of(new Settled("n", "a", 1, "Done", true))));
    }

    private void done(String job, int number, int attempt) {
        pushed.add(job);
        outcomes.add(new Outcome(job, true, attempt, attempt - 1, false));
        settled.add(new Settled("n" + number, job, attempt, "Done", true));
    }

    /** A run of a job whose position in the group is its number; jobs from 9 on belong to no group. */
    private void run(String node, String job, int number, int attempt, int start, int end, String how) {
        runs.add(new Run(node, job, attempt, number < 9 ? "g" : "", number < 9 ? number : 0, "p", number,
                start * SECOND, new End(end * SECOND, how)));
    }

    private JobChecker.Findings check() {
        return JobChecker.check(pushed, outcomes, new JobRecords(runs, settled), troubles);
    }

    private List<String> problems() {
        return check().problems();
    }

    private List<String> kinds() {
        return problems().stream().map(problem -> problem.substring(0, problem.indexOf(": "))).distinct().toList();
    }
}
