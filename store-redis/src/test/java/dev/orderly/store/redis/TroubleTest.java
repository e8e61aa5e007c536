package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.orderly.job.NodeId;
import dev.orderly.room.Limits;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.store.Bus.Topic;
import dev.orderly.store.StoreException;
import dev.orderly.store.redis.Gate.Person;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.time.Time;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Errors that callers get when Redis fails. On a server of its own, which flushes its log at each write. */
class TroubleTest {
    private static final Instant NOW = Gate.NOW;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RedisNode server = RedisNode.start("appendfsync always");
    private final RedisOptions options = RedisOptions.at(server.url());
    private final RedisClient around = RedisClient.create(options.url());
    private final RedisStore redis = RedisStore.open(options);
    private final Gate gate = Gate.at("gate", redis);

    @AfterEach
    void stop() {
        redis.close();
        around.shutdown(0, 2, TimeUnit.SECONDS);
        server.stop();
    }

    /** Sends a command to the server, over a connection for this command only. */
    private String send(String... words) {
        try (var connection = around.connect()) {
            return Server.dispatch(connection.sync(), words[0], Arrays.copyOfRange(words, 1, words.length));
        }
    }

    private void cut(KillArgs which) {
        try (var connection = around.connect()) {
            connection.sync().clientKill(which);
        }
    }

    private static Duration took(ThrowingCallable call) {
        long begun = Time.system().nanos();
        assertThatThrownBy(call).isInstanceOf(StoreException.Unavailable.class);
        return Duration.ofNanos(Time.system().nanos() - begun);
    }

    private void goesOn() {
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).until(() -> gate.join(NOW) > 0);
    }

    @Test
    void whileTheServerIsAwayCallsFailAtOnceAndTheStoreRecoversByItself() {
        assertThat(gate.join(NOW)).isEqualTo(1);
        server.stop();
        await().atMost(PATIENCE).untilAsserted(() -> assertThatThrownBy(() -> gate.join(NOW))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("127.0.0.1:" + server.port()));
        await().atMost(PATIENCE).until(() -> took(() -> gate.join(NOW)).compareTo(Duration.ofMillis(200)) < 0);
        server.resume();
        goesOn();
        assertThat(gate.join(NOW)).as("the place after the answered places").isGreaterThanOrEqualTo(3);
    }

    @Test
    void aServerThatConnectsAndRefusesIsConnectedLessAndLessOften() {
        assertThat(gate.join(NOW)).isEqualTo(1);
        send("REPLICAOF", "127.0.0.1", "1");
        long begun = Time.system().nanos();
        for (int refusals = 0; refusals < 6;) {
            try {
                gate.join(NOW);
            } catch (StoreException e) {
                refusals += String.valueOf(e.getMessage()).contains("refuses: it is a replica now") ? 1 : 0;
            }
        }
        assertThat(Duration.ofNanos(Time.system().nanos() - begun)).isGreaterThan(Duration.ofMillis(700));
        send("REPLICAOF", "NO", "ONE");
        goesOn();
    }

    /** In place of the server: a listener that ends each connection, so that attempts to connect can be counted. */
    @Test
    void anOutageIsOneLineOfTheLogForEachConnectionHoweverOftenItIsTriedAndItsErrorSaysTheReasonOnce()
            throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        root.addAppender(log);
        try {
            server.stop();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> gate.join(NOW))
                            .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("Connection refused")
                            .hasMessageEndingWith("retried by itself").message().containsOnlyOnce("is not reached"));
            try (ServerSocket listener = new ServerSocket(server.port(), 50, InetAddress.getLoopbackAddress())) {
                listener.setSoTimeout((int) PATIENCE.toMillis());
                for (int attempt = 0; attempt < 12; attempt++) {
                    listener.accept().close();
                }
            }
        } finally {
            root.detachAppender(log);
        }
        List<String> lines = log.list.stream().filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line).contains("was lost"));
    }

    @Test
    void aCutConnectionIsOpenedAgain() {
        gate.join(NOW);
        cut(KillArgs.Builder.typeNormal());
        goesOn();
    }

    @Test
    void aLostAnswerIsReportedAsUnknown() {
        gate.join(NOW);
        send("CLIENT", "PAUSE", "60000", "WRITE");
        CompletableFuture<Long> join = CompletableFuture.supplyAsync(() -> gate.join(NOW),
                task -> Thread.ofVirtual().start(task));
        await().atMost(PATIENCE).until(() -> clients().contains("cmd=evalsha"));
        cut(KillArgs.Builder.typeNormal());
        assertThatThrownBy(() -> join.get(60, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.OutcomeUnknown.class);
        send("CLIENT", "UNPAUSE");
        goesOn();
    }

    private String clients() {
        try (var connection = around.connect()) {
            return connection.sync().clientList();
        }
    }

    @Test
    void theWaitForASilentServerIsBounded() {
        gate.join(NOW);
        send("CLIENT", "PAUSE", "60000", "WRITE");
        assertThatThrownBy(() -> gate.join(NOW)).isInstanceOf(StoreException.OutcomeUnknown.class)
                .hasMessageContaining("longer than 2 s");
        send("CLIENT", "UNPAUSE");
        goesOn();
    }

    @Test
    void aReplicaRefusesWithARemedyUntilItIsThePrimaryAgain() {
        send("REPLICAOF", "127.0.0.1", Integer.toString(FreePort.find()));
        assertThatThrownBy(() -> gate.join(NOW)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("address of the primary");
        send("REPLICAOF", "NO", "ONE");
        goesOn();
    }

    @Test
    void aFullMemoryRefusesWithARemedyAndNothingIsDone() {
        assertThat(gate.join(NOW)).isEqualTo(1);
        send("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> gate.join(NOW)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("raise maxmemory");
        send("CONFIG", "SET", "maxmemory", "0");
        assertThat(gate.join(NOW)).isEqualTo(2);
    }

    @Test
    void afterARestartNobodyIsOvertakenBeforeTheGatesHaveReportedAgain() {
        gate.covers(NOW);
        gate.govern(Limits.CLOSED, 0, NOW);
        List<Person> line = gate.join(2, Duration.ofHours(1), NOW);
        gate.govern(Limits.CLOSED, 10, NOW);
        server.stop();
        server.resume();
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> gate.covers(NOW).load().known() == 0);
        gate.govern(new Limits(1, null), 10, NOW);
        assertThat(gate.admit(line.subList(1, 2), NOW)).hasOnlyElementsOfType(AdmissionResult.Waits.class);
        Instant later = NOW.plusSeconds(5);
        gate.govern(new Limits(1, null), 10, later);
        assertThat(gate.admit(line, later)).satisfiesExactly(
                first -> assertThat(first).isInstanceOf(AdmissionResult.Entered.class),
                second -> assertThat(second).isInstanceOf(AdmissionResult.Waits.class));
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgain() {
        assertThat(gate.join(NOW)).isEqualTo(1);
        send("SCRIPT", "FLUSH");
        assertThat(gate.join(NOW)).isEqualTo(2);
    }

    @Test
    void aRoomLostByTheServerBeginsAnewAndIsListed() {
        gate.join(NOW);
        send("FLUSHALL");
        assertThat(gate.join(NOW)).isEqualTo(1);
        assertThat(redis.rooms().rooms(NOW)).extracting(state -> state.room()).containsExactly(Gate.SALE);
    }

    @Test
    void keysOfAnotherProgramAreUnusable() {
        send("SET", new RoomKeys(options.prefix()).of(Gate.SALE)[0], "theirs");
        assertThatThrownBy(() -> gate.join(NOW)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("another prefix");
    }

    @Test
    void theBusIsBackAfterItsConnectionsWereCut() throws Exception {
        try (RedisStore other = Server.open(options)) {
            BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
            other.bus().subscribe(Topic.WORK, received::add);
            cut(KillArgs.Builder.typePubsub());
            cut(KillArgs.Builder.typeNormal());
            await().atMost(PATIENCE).untilAsserted(() -> {
                redis.bus().publish(Topic.WORK, new byte[]{7});
                assertThat(received.poll(1, TimeUnit.SECONDS)).isEqualTo(new byte[]{7});
            });
        }
    }

    @Test
    void messagesSentWhileTheServerIsAwayAreLostWithoutWaiting() {
        server.stop();
        for (int n = 0; n < 1_000; n++) {
            redis.bus().publish(Topic.WORK, new byte[100_000]);
        }
        server.resume();
        goesOn();
    }

    @Test
    void afterARestartNoNodeIsKnown() {
        var node = new NodeId("east");
        assertThat(redis.presence().beat(node, Duration.ofSeconds(30)).known()).isFalse();
        assertThat(redis.presence().beat(node, Duration.ofSeconds(30)).known()).isTrue();
        server.stop();
        server.resume();
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> !redis.presence().beat(node, Duration.ofSeconds(30)).known());
    }

    @Test
    void errorsOfAllKindsOfServersAreUnderstood() {
        RedisErrors errors = new RedisErrors("redis://db");
        for (String answer : List.of("LOADING Redis is loading the dataset in memory", "MISCONF Redis is configured to",
                "CLUSTERDOWN The cluster is down", "MOVED 3999 127.0.0.1:6381", "BUSY Redis is busy running a script",
                "ERR Error running script (call to f_6b1): @user_script:1: -OOM command not allowed")) {
            assertThat(errors.answered(new RedisException(answer))).as(answer)
                    .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining(answer);
        }
        assertThat(errors.answered(new RedisException("ERR user_script:7: attempt to index a nil value")))
                .isInstanceOf(StoreException.OutcomeUnknown.class);
    }
}
