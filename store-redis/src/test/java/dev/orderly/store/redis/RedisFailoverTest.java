package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.store.Bus.Topic;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.testkit.server.SentinelNode;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A primary, its two replicas, and a Sentinel that promotes one of them. */
class RedisFailoverTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int CALLERS = 16;

    private final RedisNode primary = RedisNode.start("repl-diskless-sync-delay 0");
    private final List<RedisNode> replicas = Stream.generate(
            () -> RedisNode.start("replicaof 127.0.0.1 " + primary.port())).limit(2)
            .toList();
    private final SentinelNode sentinel = sentinel();

    /** A Sentinel asks for replicas at its start, and then every ten seconds. */
    private SentinelNode sentinel() {
        await().atMost(PATIENCE).until(() -> info(primary.port()).split("state=online", -1).length == 3);
        SentinelNode started = SentinelNode.start(primary);
        await().atMost(PATIENCE).until(() -> info(started.port()).contains("slaves=2"));
        return started;
    }

    @AfterEach
    void stop() {
        sentinel.close();
        replicas.forEach(RedisNode::close);
        primary.close();
    }

    private static String info(int port) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        try (var connection = client.connect()) {
            return connection.sync().info();
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    /** A new place, however often the store fails to answer. */
    private long place(Gate gate) {
        try {
            return gate.join(Gate.NOW);
        } catch (StoreException e) {
            return await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> gate.join(Gate.NOW), place -> place > 0);
        }
    }

    @Test
    void placesThatAReplicaHasAreKeptAndNoneIsIssuedTwiceOverAFailover() {
        try (RedisStore redis = RedisStore.at(sentinel.url("replicas=1"))) {
            Gate gate = Gate.at("gate", redis);
            List<Long> places = new ArrayList<>();
            for (int n = 0; n < 2_000; n++) {
                places.add(place(gate));
                if (n == 1_000) {
                    primary.kill();
                }
            }
            assertThat(places).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void aPlaceThatNoReplicaHasIsNotPromised() {
        try (RedisStore redis = RedisStore.at(sentinel.url("replicas=1"))) {
            Gate gate = Gate.at("gate", redis);
            assertThat(place(gate)).isGreaterThanOrEqualTo(1);
            replicas.forEach(replica -> replica.suspend(true));
            assertThatThrownBy(() -> gate.join(Gate.NOW)).isInstanceOf(StoreException.OutcomeUnknown.class)
                    .hasMessageContaining("0 of 1 replicas have it: bring replicas back");
            assertThat(redis.rooms().rooms(Gate.NOW)).hasSize(1);
            CompletableFuture<?> callers = CompletableFuture.allOf(IntStream.range(0, CALLERS)
                    .mapToObj(_ -> CompletableFuture.runAsync(() -> assertThatThrownBy(() -> gate.join(Gate.NOW))
                            .hasMessageContaining("0 of 1 replicas have it"), Thread::startVirtualThread))
                    .toArray(CompletableFuture[]::new));
            while (!callers.isDone()) { // no call loses the connection that it shares with the waiting ones
                assertThat(redis.rooms().rooms(Gate.NOW)).hasSize(1);
            }
            assertThat(callers).isCompleted();
            replicas.forEach(replica -> replica.suspend(false));
            await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> gate.join(Gate.NOW) > 2);
        }
    }

    /** On a cluster the set of the names is on a primary of its own, which may lose it while the room is kept. */
    @Test
    void aRoomWhoseNameThePromotedServerLacksIsListedAgain() {
        try (RedisStore redis = RedisStore.at(sentinel.url("replicas=1"))) {
            Gate gate = Gate.at("gate", redis);
            place(gate);
            RedisClient client = RedisClient.create("redis://127.0.0.1:" + primary.port());
            try (var connection = client.connect()) {
                assertThat(connection.sync().del(new RoomKeys("orderly").names())).isEqualTo(1);
                assertThat(connection.sync().waitForReplication(2, PATIENCE.toMillis())).isEqualTo(2);
            } finally {
                client.shutdown(0, 2, TimeUnit.SECONDS);
            }
            place(gate);
            assertThat(redis.rooms().rooms(Gate.NOW)).isEmpty();
            primary.kill();
            place(gate);
            assertThat(redis.rooms().rooms(Gate.NOW)).hasSize(1);
        }
    }

    @Test
    void messagesBetweenNodesAreCarriedByThePromotedServer() throws Exception {
        try (RedisStore one = RedisStore.at(sentinel.url()); RedisStore other = RedisStore.at(sentinel.url())) {
            BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
            other.bus().subscribe(Topic.WORK, received::add);
            primary.kill();
            await().atMost(PATIENCE).untilAsserted(() -> {
                one.bus().publish(Topic.WORK, new byte[]{7});
                assertThat(received.poll(1, TimeUnit.SECONDS)).isEqualTo(new byte[]{7});
            });
        }
    }

    @Test
    void aSentinelWithAPasswordOfItsOwnNamesThePrimary() {
        try (SentinelNode guarded = SentinelNode.start(primary, "requirepass s%cret")) {
            assertThatThrownBy(() -> RedisStore.at(guarded.url())).isInstanceOf(StoreException.Unavailable.class);
            RedisOptions options = RedisOptions.at(guarded.url("sentinel-password=s%25cret"));
            assertThat(options.toString()).doesNotContain("cret");
            try (RedisStore redis = RedisStore.open(options)) {
                assertThat(place(Gate.at("gate", redis))).isPositive();
            }
        }
    }

    @Test
    void aSentinelWithoutSuchAPrimaryIsNamedInTheError() {
        assertThatThrownBy(() -> RedisStore.at(sentinel.url().replace("#rooms", "#none")))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("#none");
    }
}
