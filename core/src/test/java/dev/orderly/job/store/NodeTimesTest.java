package dev.orderly.job.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The inequalities on which the promises about nodes rest. Each names what breaks without it. */
class NodeTimesTest {
    /** Durations that follow each other in time. */
    private record Order(String broken, List<Duration> parts, Duration limit) {
        private Duration sum() {
            return parts.stream().reduce(Duration.ZERO, Duration::plus);
        }
    }

    private static Order order(String broken, Duration limit, Duration... parts) {
        return new Order(broken, List.of(parts), limit);
    }

    private static final List<Order> ORDERS = List.of(
            order("one lost answer ends the lease of a node", NodeTimes.LEASE, NodeTimes.BEAT, NodeTimes.BEAT_ANSWER,
                    NodeTimes.BEAT_AGAIN, NodeTimes.BEAT_ANSWER),
            order("a node stops its handlers before it has said that its beats are late", NodeTimes.LEASE,
                    NodeTimes.BEAT_LATE),
            order("a single late beat is an alarm", NodeTimes.BEAT_LATE, NodeTimes.BEAT, NodeTimes.BEAT),
            order("each beat looks like a sleep", NodeTimes.SLEPT, NodeTimes.BEAT),
            order("the driver gives up before the server says why", NodeTimes.ANSWER, NodeTimes.STATEMENT),
            order("a claim is answered after the lease that it was made in", NodeTimes.LEASE, NodeTimes.ANSWER),
            order("a step of the clock declares a node dead that may run jobs", NodeTimes.OBSERVED, NodeTimes.LEASE),
            order("the observation delays deaths", NodeTimes.DEAD_AFTER, NodeTimes.OBSERVED, NodeTimes.UPKEEP),
            order("handlers have no time to end", NodeTimes.DEAD_AFTER, NodeTimes.LEASE, NodeTimes.STOP),
            order("jobs of a dead node run later than promised", NodeTimes.GIVEN_BACK, NodeTimes.DEAD_AFTER,
                    NodeTimes.UPKEEP),
            order("two nodes that beat look like none", NodeTimes.GAP, NodeTimes.BEAT, NodeTimes.BEAT),
            order("a gap is found after the leases of all nodes have ended", NodeTimes.LEASE, NodeTimes.GAP),
            order("a live node is dead because its first beat after a gap was lost", NodeTimes.GRACE, NodeTimes.BEAT,
                    NodeTimes.BEAT_ANSWER, NodeTimes.BEAT_AGAIN),
            order("a lease ends though its report waited for this process", NodeTimes.LEASE_GRACE, NodeTimes.ANSWER),
            order("a call that hangs holds up the stop", NodeTimes.ANSWER, NodeTimes.STOP));

    @Test
    void durationsThatDependOnEachOtherKeepTheirOrder() {
        for (Order order : ORDERS) {
            assertThat(order.sum()).as(order.broken).isLessThan(order.limit);
        }
    }
}
