package dev.orderly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.cluster.RoomChecker.Findings;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Four gates in front of one room, each with visitors of its own. The governing gate is killed, another starts late.
 * Longer with {@code -Dorderly.cluster.seconds=N}, another course with {@code -Dorderly.cluster.seed=N}.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class RoomClusterTest {
    private static final Logger LOG = LoggerFactory.getLogger(RoomClusterTest.class);
    private static final int SECONDS = Integer.getInteger("orderly.cluster.seconds", 15);
    private static final long SEED = Long.getLong("orderly.cluster.seed", 20_261_121L);
    private static final int VISITORS = 80;
    /** Few visitors, because their capacity is kept for a minute after their gate was killed. */
    private static final int VISITORS_OF_THE_KILLED = 8;
    /** The share of the limits that must certainly be reached; below it the limits were not tested. */
    private static final double BUSY = 0.7;

    @TempDir
    private Path folder = Path.of("");
    private final Time time = Time.system();
    private final List<NodeProcess> gates = new ArrayList<>();

    @AfterEach
    void end() {
        gates.forEach(NodeProcess::close);
    }

    @Test
    void theLimitsHoldOverAllGatesOnPostgres() {
        try (PostgresServer postgres = PostgresServer.start("fsync=off")) {
            theLimitsHold(postgres.url());
        }
    }

    @Test
    void theLimitsHoldOverAllGatesOnRedis() {
        try (RedisNode redis = RedisNode.start()) {
            theLimitsHold(redis.url());
        }
    }

    private void theLimitsHold(String url) {
        NodeProcess governs = start(url, VISITORS_OF_THE_KILLED).awaitReady();
        NodeProcess second = start(url, VISITORS);
        NodeProcess third = start(url, VISITORS);
        second.awaitReady();
        third.awaitReady();
        pause(SECONDS / 3);
        NodeProcess late = start(url, VISITORS).awaitReady();
        pause(2);
        long killed = governs.kill();
        pause(SECONDS - SECONDS / 3);
        gates.forEach(NodeProcess::kill);

        RoomRecords records = RoomRecords
                .read(gates.stream().collect(Collectors.toMap(gate -> gate.name, gate -> gate.log)));
        Findings findings = RoomChecker.check(records, GateNode.LIMITS);
        LOG.info("Seed {}, {}: {}", SEED, url.substring(0, url.indexOf("//")), findings);
        assertThat(findings.problems()).as("seed %d", SEED).isEmpty();
        assertThat(records.others()).as("answers other than place and pass").isEmpty();
        assertThat(records.stays()).as("after the death of the gate that governed")
                .anyMatch(stay -> stay.asked() > killed && stay.gate().equals(second.name))
                .anyMatch(stay -> stay.asked() > killed && stay.gate().equals(third.name));
        assertThat(records.joins()).anyMatch(join -> join.gate().equals(late.name));
        assertThat(findings.mostInside()).as("the room was put to the test")
                .isGreaterThan((int) (BUSY * GateNode.LIMITS.mostPasses().orElseThrow()));
        assertThat(findings.mostInPeriod())
                .isGreaterThan((int) (BUSY * GateNode.LIMITS.mostAdmissions().orElseThrow().admissions()));
    }

    private NodeProcess start(String url, int visitors) {
        NodeProcess gate = NodeProcess.start("gate" + gates.size(), GateNode.class, folder, url,
                Integer.toString(visitors),
                Long.toString(SEED + gates.size()));
        gates.add(gate);
        return gate;
    }

    private void pause(int seconds) {
        long deadline = time.deadline(Duration.ofSeconds(seconds));
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
    }
}
