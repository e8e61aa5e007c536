package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.NodeId;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.store.Bus.Topic;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.RedisClusterNodes;
import dev.orderly.user.UserId;
import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Rooms on a cluster of three primaries, each with a replica. The last test kills one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RedisClusterTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int PRIMARIES = 3;
    private static final int LAST_SLOT = SlotHash.SLOT_COUNT - 1;

    private final RedisClusterNodes nodes = RedisClusterNodes.start(2 * PRIMARIES);
    private final List<RedisClient> clients = new ArrayList<>();
    private final List<RedisCommands<String, String>> servers = new ArrayList<>();
    private final Random random = new Random(7);

    @BeforeAll
    void makeCluster() {
        for (int n = 0; n < 2 * PRIMARIES; n++) {
            RedisClient client = RedisClient.create(nodes.node(n).url());
            clients.add(client);
            servers.add(client.connect().sync());
        }
        int share = SlotHash.SLOT_COUNT / PRIMARIES;
        for (int n = 0; n < PRIMARIES; n++) {
            send(n, "ADDSLOTSRANGE", n * share, n == PRIMARIES - 1 ? LAST_SLOT : (n + 1) * share - 1);
        }
        for (int n = 1; n < 2 * PRIMARIES; n++) {
            send(0, "MEET", "127.0.0.1", nodes.node(n).port(), nodes.busPort(n));
        }
        await().atMost(PATIENCE).until(() -> servers.stream()
                .allMatch(server -> server.clusterInfo().contains("cluster_known_nodes:" + 2 * PRIMARIES)));
        for (int n = PRIMARIES; n < 2 * PRIMARIES; n++) {
            String primary = servers.get(n - PRIMARIES).clusterMyId();
            int replica = n;
            await().atMost(PATIENCE).ignoreExceptions()
                    .until(() -> "OK".equals(servers.get(replica).clusterReplicate(primary)));
        }
        await().atMost(PATIENCE).until(() -> servers.stream()
                .allMatch(server -> server.clusterInfo().contains("cluster_state:ok"))
                && servers.stream().limit(PRIMARIES).allMatch(server -> server.info().contains("state=online")));
    }

    @AfterAll
    void stop() {
        clients.forEach(client -> client.shutdown(0, 2, TimeUnit.SECONDS));
        nodes.close();
    }

    private void send(int server, Object... words) {
        Server.dispatch(servers.get(server), "CLUSTER",
                Arrays.stream(words).map(String::valueOf).toArray(String[]::new));
    }

    private long join(RedisStore redis, RoomName room) {
        return redis.rooms().join(room, List.of(new JoinRequest(VisitorId.random(random), Gate.NOW,
                Gate.NOW.plusSeconds(300))), Gate.NOW).getFirst().place();
    }

    private static int slot(RoomName room) {
        return SlotHash.getSlot(new RoomKeys("orderly").of(room)[0]);
    }

    /** A room whose keys this primary has at first. */
    private static RoomName roomOf(int primary) {
        int share = SlotHash.SLOT_COUNT / PRIMARIES;
        return IntStream.iterate(0, n -> n + 1).mapToObj(n -> new RoomName("room-" + primary + "-" + n))
                .filter(room -> Math.min(slot(room) / share, PRIMARIES - 1) == primary).findFirst().orElseThrow();
    }

    @Test
    @Order(1)
    void roomsUsersValuesAndMessagesWorkWhereverTheirKeysAre() throws Exception {
        try (RedisStore redis = RedisStore.at(nodes.url()); RedisStore other = RedisStore.at(nodes.url())) {
            for (int n = 0; n < PRIMARIES; n++) {
                assertThat(join(redis, roomOf(n))).isEqualTo(1);
                assertThat(join(other, roomOf(n))).isEqualTo(2);
            }
            assertThat(redis.rooms().rooms(Gate.NOW)).hasSize(PRIMARIES);
            OnlineUserStore presence = redis.presence();
            presence.beat(new NodeId("one"), PATIENCE);
            other.presence().beat(new NodeId("two"), PATIENCE);
            presence.note(new NodeId("one"), Set.of(new UserId("ann")), Set.of());
            assertThat(other.presence().elsewhere(new NodeId("two"), Set.of(new UserId("ann")))).hasSize(1);
            assertThat(redis.keyValues().replace("k", 0, "v", Gate.NOW.plusSeconds(60), Gate.NOW)).isPresent();
            assertThat(other.keyValues().read("k", Gate.NOW)).isPresent();
            redis.checkWritable();
            assertThat(servers.subList(0, PRIMARIES)).allSatisfy(
                    primary -> assertThat(primary.keys("orderly:mark{*")).isNotEmpty());
            BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
            other.bus().subscribe(Topic.WORK, received::add);
            await().atMost(PATIENCE).untilAsserted(() -> {
                redis.bus().publish(Topic.WORK, new byte[]{7});
                assertThat(received.poll(1, TimeUnit.SECONDS)).isEqualTo(new byte[]{7});
            });
        }
    }

    @Test
    @Order(2)
    void aRoomWhoseKeysAreMovedToAnotherServerGoesOnThereWithItsPlaces() throws Exception {
        RoomName room = new RoomName("moving");
        int slot = slot(room);
        try (RedisStore redis = RedisStore.at(nodes.url())) {
            AtomicBoolean moved = new AtomicBoolean();
            List<Long> places = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> joins = CompletableFuture.runAsync(() -> {
                int after = 0;
                while (after < 100) {
                    try {
                        places.add(join(redis, room));
                        after += moved.get() ? 1 : 0;
                    } catch (StoreException.Unavailable e) {
                        Thread.onSpinWait();
                    }
                }
            }, Thread::startVirtualThread);
            await().atMost(PATIENCE).until(() -> places.size() > 100);
            move(slot);
            moved.set(true);
            joins.get(60, TimeUnit.SECONDS);
            assertThat(places).isSorted().doesNotHaveDuplicates();
        }
    }

    private void move(int slot) {
        int share = SlotHash.SLOT_COUNT / PRIMARIES;
        int from = Math.min(slot / share, PRIMARIES - 1);
        int to = (from + 1) % PRIMARIES;
        String target = servers.get(to).clusterMyId();
        servers.get(to).clusterSetSlotImporting(slot, servers.get(from).clusterMyId());
        servers.get(from).clusterSetSlotMigrating(slot, target);
        for (List<String> keys = keys(from, slot); !keys.isEmpty(); keys = keys(from, slot)) {
            servers.get(from).migrate("127.0.0.1", nodes.node(to).port(), 0, 5_000,
                    MigrateArgs.Builder.keys(keys));
        }
        servers.get(to).clusterSetSlotNode(slot, target);
        servers.get(from).clusterSetSlotNode(slot, target);
    }

    private List<String> keys(int server, int slot) {
        return servers.get(server).clusterGetKeysInSlot(slot, 100);
    }

    @Test
    @Order(3)
    void aPrimaryThatDiesHoldsUpItsOwnRoomsOnlyAndItsReplicaGoesOn() {
        try (RedisStore redis = RedisStore.at(nodes.url())) {
            RoomName dying = roomOf(2);
            RoomName others = roomOf(0);
            long place = join(redis, dying);
            await().atMost(PATIENCE).until(() -> servers.get(2).waitForReplication(1, 1_000) >= 1);
            nodes.node(2).kill();
            long before = join(redis, others);
            assertThatThrownBy(() -> join(redis, dying)).isInstanceOf(StoreException.class);
            assertThatThrownBy(redis::checkWritable).isInstanceOf(StoreException.class);
            assertThat(join(redis, others)).isEqualTo(before + 1);
            assertThat(await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> join(redis, dying), next -> next > 0)).isGreaterThan(place);
        }
    }

    @Test
    @Order(4)
    void aClusterThatIsNotReachedIsNamedByItsAddresses() {
        assertThatThrownBy(() -> RedisStore.at("redis-cluster://127.0.0.1:1,127.0.0.1:2"))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("127.0.0.1:1,127.0.0.1:2");
    }
}
