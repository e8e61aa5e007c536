package dev.orderly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.cluster.JobChecker.Findings;
import dev.orderly.cluster.JobChecker.Outcome;
import dev.orderly.cluster.JobChecker.Trouble;
import dev.orderly.cluster.JobChecker.Trouble.Kind;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.testkit.server.FaultProxy;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Four nodes work on one PostgreSQL while they are killed, paused, stopped and cut off in a seeded order; in a long run
 * the database is restarted too. The long run, of about four minutes:
 *
 * <pre>
 * ./mvnw -pl server -am test -Dtest=JobClusterTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dorderly.cluster.jobs=100000 -Dorderly.cluster.rate=500 -Dorderly.cluster.pause=60 \
 *     -Dorderly.cluster.seed=1
 * </pre>
 */
@Tag("slow")
class JobClusterTest {
    private static final Logger LOG = LoggerFactory.getLogger(JobClusterTest.class);
    private static final int JOBS = Integer.getInteger("orderly.cluster.jobs", 10_000);
    private static final long SEED = Long.getLong("orderly.cluster.seed", 20_261_121L);
    /** Longer than the 30 s after which a silent node is dead. */
    private static final Duration PAUSE = Duration.ofSeconds(Integer.getInteger("orderly.cluster.pause", 40));
    private static final int PER_SECOND = Integer.getInteger("orderly.cluster.rate", 250);
    private static final int NODES = 4;
    /** As many rounds as fit into the time of pushing. */
    private static final int ROUNDS = Math.max(1, (int) (JOBS / PER_SECOND / PAUSE.plusSeconds(10).toSeconds()));

    @TempDir
    private Path folder = Path.of("");
    private final Time time = Time.system();
    private final Random random = new Random(SEED);
    private final List<Slot> slots = new ArrayList<>();
    private final List<NodeProcess> processes = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final PostgresServer postgres = PostgresServer.start("fsync=off");

    /** A slot in which one node after the other runs, with a connection of its own to the database. */
    private final class Slot {
        final FaultProxy proxy = new FaultProxy(postgres.port());
        NodeProcess node = next();

        NodeProcess next() {
            node = NodeProcess.start("node" + processes.size(), JobNode.class, folder,
                    postgres.urlOver(proxy.port()), Long.toString(SEED));
            processes.add(node);
            return node;
        }
    }

    @AfterEach
    void end() {
        processes.forEach(NodeProcess::close);
        slots.forEach(slot -> slot.proxy.close());
        postgres.close();
    }

    @Test
    void everyJobHasOneOutcomeInOrderThroughFaultsOfNodes() throws Exception {
        long began = time.nanos();
        try (JobPushers pushers = new JobPushers(postgres.url(), 2)) {
            for (int n = 0; n < NODES; n++) {
                slots.add(new Slot());
            }
            slots.forEach(slot -> slot.node.awaitReady());
            pushers.start(JOBS, PER_SECOND, SEED);
            trouble();
            for (int round = 1; round < ROUNDS; round++) {
                postgres.restart();
                trouble();
            }
            pushers.finish(Duration.ofSeconds(JOBS / PER_SECOND));
            JobClient jobs = pushers.node().engines().jobs();
            Awaitility.await("all jobs ended").atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(200))
                    .until(() -> open(jobs) == 0);
            slots.forEach(slot -> slot.node.terminate());
            slots.forEach(slot -> slot.node.join(Duration.ofSeconds(40)));

            Findings findings = JobChecker.check(pushers.pushed(), outcomes(jobs), records(), troubles);
            LOG.info("Seed {}, {} jobs, {} processes, {} s, slowest push {}: {}", SEED, JOBS, processes.size(),
                    Duration.ofNanos(time.nanos() - began).toSeconds(), pushers.slowest(), findings);
            assertThat(findings.problems()).as("seed %d, troubles %s", SEED, troubles).isEmpty();
            assertThat(pushers.pushed()).hasSize(JOBS);
            assertThat(findings.failed()).as("attempts that failed").isPositive();
            assertThat(findings.most()).as("jobs at once under the limit").isPositive();
        }
    }

    /** Kills one node, pauses one, stops one, cuts one off, and replaces the nodes that ended. */
    private void trouble() {
        Collections.shuffle(slots, random);
        pause(1_000 + random.nextInt(2_000));
        kill(slots.get(0));
        pause(random.nextInt(2_000));
        NodeProcess paused = slots.get(1).node;
        long from = paused.pause();
        long resume = time.deadline(PAUSE);
        pause(random.nextInt(3_000));
        slots.get(2).node.terminate();
        slots.get(2).next();
        pause(random.nextInt(3_000));
        cut(slots.get(3));
        waitUntil(resume);
        troubles.add(new Trouble(paused.name, Kind.PAUSED, from, paused.resume()));
        pause(1_000);
    }

    private void kill(Slot slot) {
        NodeProcess killed = slot.node;
        long from = killed.kill();
        troubles.add(new Trouble(killed.name, Kind.KILLED, from, time.nanos()));
        slot.next();
    }

    private void cut(Slot slot) {
        long from = time.nanos();
        switch (random.nextInt(3)) {
            case 0 -> slot.proxy.cut();
            case 1 -> slot.proxy.refuse();
            default -> slot.proxy.loseReplies(3);
        }
        pause(random.nextInt(3_000));
        slot.proxy.pass();
        troubles.add(new Trouble(slot.node.name, Kind.CUT, from, time.nanos()));
    }

    private JobRecords records() {
        return JobRecords.read(processes.stream().collect(Collectors.toMap(node -> node.name, node -> node.log)));
    }

    private static long open(JobClient jobs) {
        return jobs.queues().stream().map(status -> status.view())
                .mapToLong(view -> view.waiting() + view.delayed() + view.running()).sum();
    }

    private static List<Outcome> outcomes(JobClient jobs) {
        List<Outcome> all = new ArrayList<>();
        for (String queue : List.of(JobNode.STANDARD, JobNode.FIFO, JobNode.LIMITED)) {
            for (JobState state : List.of(JobState.DONE, JobState.DEAD, JobState.CANCELLED)) {
                List<JobView> page = jobs.list(new QueueName(queue), state, null, 1_000);
                while (!page.isEmpty()) {
                    page.forEach(job -> all.add(outcome(job)));
                    page = jobs.list(new QueueName(queue), state, page.getLast().id(), 1_000);
                }
            }
        }
        return all;
    }

    private static Outcome outcome(JobView job) {
        boolean crashed = job.failure() != null && job.failure().summary().startsWith("Its node died");
        return new Outcome(job.id().toString(), job.state() == JobState.DONE, job.attempt(), job.failures(), crashed);
    }

    private void pause(int millis) {
        waitUntil(time.deadline(Duration.ofMillis(millis)));
    }

    private void waitUntil(long deadline) {
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
    }
}
