package dev.orderly.testkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.live.OnlineUser;
import dev.orderly.live.UserConnections;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Any node tells who is connected to all of them. */
@Timeout(120)
class UsersOfTwoNodesTest {
    private static final UserId ANN = new UserId("ann");

    private final MemoryStore store = new MemoryStore();
    private final Orderly east = Orderly.open(store);
    private final Orderly west = Orderly.open(store.beside());

    @BeforeEach
    void start() {
        east.start();
        west.start();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> east.nodes().size() == 2 && west.nodes().size() == 2);
    }

    @AfterEach
    void close() {
        west.close();
        east.close();
    }

    @Test
    void thePageHasTheUsersOfAllNodesAndCountsTheirConnectionsTogether() {
        Tab.of(east.engines().live(), "ann");
        Tab.of(west.engines().live(), "ann");
        Tab.of(west.engines().live(), "bob");
        Tab.of(east.engines().live(), "cat");
        assertThat(east.users().online(null, 10).users()).containsExactly(new OnlineUser(ANN, 2),
                new OnlineUser(new UserId("bob"), 1), new OnlineUser(new UserId("cat"), 1));
        assertThat(west.users().online(ANN, 1).users()).containsExactly(new OnlineUser(new UserId("bob"), 1));
        assertThat(east.users().online(null, 10).unreachable()).isEmpty();
    }

    @Test
    void theConnectionsOfAUserAreThoseToAllNodes() {
        Tab.of(east.engines().live(), "ann");
        Tab.of(west.engines().live(), "ann");
        UserConnections known = west.users().connectionsOf(ANN);
        assertThat(known.connections()).hasSize(2).allSatisfy(each -> assertThat(each.node()).isNotEmpty());
        assertThat(known.unreachable()).isEmpty();
        assertThat(west.users().connectionsOf(new UserId("eve")).connections()).isEmpty();
    }
}
