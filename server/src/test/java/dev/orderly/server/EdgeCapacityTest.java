package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.EdgeLimits;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.http.gateway.ForwardLimits.Shares;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeCapacityTest {
    @Test
    void theEdgeHasTheConfiguredEventLoopsAndTheApiOneOfItsOwn() {
        EdgeCapacity capacity = new EdgeCapacity(EdgeLimits.DEFAULT, new ProcessLimits(64 << 20, 100_000, 3));
        assertThat(capacity.edge().capacity().eventLoops()).isEqualTo(3);
        assertThat(capacity.api().capacity().eventLoops()).isOne();
    }

    @Test
    void everyLimitThatDependsOnTheProcessHasAValueInForce() {
        EdgeCapacity capacity = new EdgeCapacity(EdgeLimits.DEFAULT, new ProcessLimits(64 << 20, 100_000, 3));
        Set<String> depends = new HashSet<>(Set.of("edge.event-loops"));
        for (KeySpec entry : EdgeLimits.LIMITS.entries()) {
            if (entry instanceof KeySpec.Key<?> key && key.absent() instanceof KeySpec.Absent.Depends) {
                depends.add("edge.limits." + key.name());
            }
        }
        assertThat(capacity.byKey()).containsOnlyKeys(depends).containsEntry("edge.event-loops", "3")
                .containsEntry("edge.limits.connections",
                        Integer.toString(capacity.edge().capacity().connections().total()));
    }

    @ParameterizedTest
    @CsvSource({"64, 100000, 1638", "512, 1000000, 13107", "8192, 1000000, 100000", "8192, 1200, 484", "4096, 300, 89"})
    void connectionsFollowFromHeapAndHandles(long heapMiB, long handles, int about) {
        EdgeCapacity capacity = new EdgeCapacity(EdgeLimits.DEFAULT, new ProcessLimits(heapMiB << 20, handles, 2));
        int connections = capacity.edge().capacity().connections().total();

        assertThat(connections).isBetween(about * 7 / 10, about * 11 / 10);
        Shares shares = capacity.forwarding().shares();
        int toOrigin = shares.pages().connections() + shares.uploads().connections()
                + shares.streams().connections() + shares.tunnels().connections();
        assertThat(2 * connections + capacity.api().capacity().connections().total()).as("handles")
                .isLessThanOrEqualTo((int) handles);
        assertThat(toOrigin).as("each serves a client with a connection").isLessThanOrEqualTo(connections);
        assertThat(capacity.waiting().streams() + capacity.live()).as("what is left for passes")
                .isLessThanOrEqualTo(connections * 7 / 10);
        assertThat(capacity.edge().capacity().connections().each()).isLessThan(connections);
        assertThat(2 * capacity.edge().capacity().bodyBytes()).as("bytes of bodies")
                .isLessThanOrEqualTo((heapMiB << 20) / 10);
    }
}
