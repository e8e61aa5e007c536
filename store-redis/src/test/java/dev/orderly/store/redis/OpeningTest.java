package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.RedisNode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Opening of servers, and the errors of servers that cannot be used. On a server of its own. */
class OpeningTest {
    private final RedisNode server = RedisNode.start("appendonly no");
    private final RedisOptions options = RedisOptions.at(server.url());
    private final RedisClient client = RedisClient.create(options.url());
    private final StatefulRedisConnection<String, String> around = client.connect();

    @AfterEach
    void stop() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        server.stop();
    }

    private void set(String name, String value) {
        around.sync().configSet(name, value);
    }

    private String losses() {
        return RedisServerFacts.read(around).losses();
    }

    @Test
    void aServerThatEvictsKeysWhenItsMemoryIsFullIsRefused() {
        set("maxmemory", "100mb");
        set("maxmemory-policy", "allkeys-lru");
        assertThatThrownBy(() -> Server.open(options)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("allkeys-lru").hasMessageContaining("set maxmemory-policy to noeviction");
        set("maxmemory", "0");
        Server.open(options).close();
        set("maxmemory", "100mb");
        set("maxmemory-policy", "noeviction");
        Server.open(options).close();
    }

    @Test
    void anOldServerIsRefused() {
        for (String old : List.of("6.0.16", "5.0.3")) {
            assertThat(new RedisServerFacts(Map.of("redis_version", old), Map.of()).problem()).hasValueSatisfying(
                    problem -> assertThat(problem).contains(old).contains("6.2"));
        }
        for (String young : List.of("6.2.0", "7.0.15", "8.4.0", "10.0.1")) {
            assertThat(new RedisServerFacts(Map.of("redis_version", young), Map.of()).problem()).isEmpty();
        }
    }

    @Test
    void anUnreachableServerIsUnavailable() {
        RedisOptions nowhere = RedisOptions.at("redis://127.0.0.1:" + FreePort.find());
        assertThatThrownBy(() -> Server.open(nowhere)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining(nowhere.toString());
    }

    @Test
    void aReplicaAloneIsRefusedWithTheRemedy() {
        around.sync().replicaof("127.0.0.1", FreePort.find());
        assertThatThrownBy(() -> Server.open(options)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("it is a replica now: give the address of the primary");
        around.sync().replicaofNoOne();
        Server.open(options).close();
    }

    @Test
    void aMisspeltParameterOfTheAddressIsNamed() {
        for (String wrong : List.of("redis://:secret@db?replica=1", "redis-sentinel://one,two?Replicas=1#main",
                "redis-cluster://:secret@one,two?replicas=1&replica", "redis://db?timeout=2s&=")) {
            assertThatThrownBy(() -> RedisOptions.at(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no parameter: use replicas, sentinel-password, timeout")
                    .hasMessageNotContaining("secret");
        }
        assertThat(RedisOptions.at("redis://:se%3Fcret=1&a@db?timeout=2s&clientName=shop&replicas=2").replicas())
                .isEqualTo(2);
    }

    @Test
    void aWrongPasswordIsNamedAsTheErrorAndNotShown() {
        set("requirepass", "right");
        assertThatThrownBy(() -> Server.open(RedisOptions.at("redis://:wrong-one@127.0.0.1:" + server.port())))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("password")
                .hasMessageNotContaining("wrong-one");
        assertThatThrownBy(() -> Server.open(options)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("asks for a password");
        Server.open(RedisOptions.at("redis://:right@127.0.0.1:" + server.port())).close();
    }

    @Test
    void aUserWithoutAccessToTheSettingsGetsWarningsWithWhatToCheck() {
        acl("somebody", "+@all", "-config");
        acl("nobody", "+@all", "-config", "-info");
        try (RedisStore redis = Server.open(as("somebody"))) {
            assertThat(Gate.at("gate", redis).join(Gate.NOW)).isEqualTo(1);
        }
        try (RedisStore redis = Server.open(as("nobody"))) {
            assertThat(Gate.at("gate", redis).join(Gate.NOW)).isEqualTo(2);
        }
        set("maxmemory", "100mb");
        set("maxmemory-policy", "allkeys-lru");
        assertThatThrownBy(() -> Server.open(as("somebody"))).isInstanceOf(StoreException.Unusable.class);
        RedisClient other = RedisClient.create(as("nobody").url());
        RedisServerFacts facts = RedisServerFacts.read(other.connect());
        assertThat(facts.doubts()).anySatisfy(doubt -> assertThat(doubt).contains("maxmemory-policy"));
        assertThat(facts.losses()).contains("is not known");
        other.shutdown(0, 2, TimeUnit.SECONDS);
    }

    private void acl(String user, String... rules) {
        String[] all = Stream.concat(Stream.of("SETUSER", user, "on", ">pw", "~*", "&*"), Stream.of(rules))
                .toArray(String[]::new);
        Server.dispatch(around.sync(), "ACL", all);
    }

    private RedisOptions as(String user) {
        return RedisOptions.at("redis://" + user + ":pw@127.0.0.1:" + server.port());
    }

    @Test
    void theLossAtACrashIsDescribedForEverySetting() {
        assertThat(losses()).contains("restart of the server loses everything").contains("set appendonly to yes");
        set("save", "3600 1");
        assertThat(losses()).contains("since the last snapshot (save \"3600 1\")");
        set("appendonly", "yes");
        set("appendfsync", "always");
        assertThat(losses()).contains("loses no answered change");
        set("appendfsync", "everysec");
        assertThat(losses()).contains("up to the last two seconds").contains("a failover to a replica loses");
        set("appendfsync", "no");
        assertThat(losses()).contains("about the last 30 seconds").contains("everysec");
        // A server that is writing its first log of writes does not stop.
        await().until(() -> around.sync().info("persistence").contains("aof_rewrite_in_progress:0"));
    }

    @Test
    void aSingleNodeOfAClusterCanKeepRooms() {
        RedisNode node = RedisNode.start("appendonly no", "cluster-enabled yes", "cluster-port " + FreePort.find());
        RedisClient toNode = RedisClient.create(node.url());
        try {
            var cluster = toNode.connect().sync();
            Server.dispatch(cluster, "CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            await().until(() -> cluster.clusterInfo().contains("cluster_state:ok"));
            try (RedisStore redis = Server.open(RedisOptions.at(node.url()))) {
                Gate gate = Gate.at("gate", redis);
                gate.covers(Gate.NOW);
                assertThat(gate.join(Gate.NOW)).isEqualTo(1);
                assertThat(redis.rooms().rooms(Gate.NOW)).hasSize(1);
            }
        } finally {
            toNode.shutdown(0, 2, TimeUnit.SECONDS);
            node.stop();
        }
    }

    @Test
    void allKeysOfARoomLieInOneSlot() {
        assertThat(Stream.of(new RoomKeys("a:b").of(Gate.SALE)).map(SlotHash::getSlot).distinct()).hasSize(1);
        assertThat(Stream.of(RedisOnlineUsers.keys("a:b")).map(SlotHash::getSlot).distinct()).hasSize(1);
    }

    @Test
    void aPasswordIsNeverPartOfTheName() {
        assertThat(RedisOptions.at("rediss://ann:secret@db:6380/3")).hasToString("rediss://db:6380/3 prefix orderly");
        assertThat(RedisOptions.at("redis-sentinel://:secret@one,two:26380/2?replicas=1#main"))
                .hasToString("redis-sentinel://one:26379,two:26380/2#main prefix orderly")
                .extracting(RedisOptions::replicas).isEqualTo(1);
        assertThat(RedisOptions.at("rediss-cluster://ann:secret@one,two:6380?replicas=2"))
                .hasToString("rediss-cluster://one:6379,two:6380 prefix orderly")
                .extracting(RedisOptions::replicas).isEqualTo(2);
        assertThat(RedisOptions.at("redis://:secret@db").withPrefix("shop")).hasToString("redis://db:6379 prefix shop");
    }

    @Test
    void aMalformedAddressOrPrefixIsRefusedWithoutShowingThePassword() {
        for (String url : List.of("http://db", "redis://", "redis://ann:secret@", "redis://ann:secret@db:port",
                "redis-sentinel://:secret@one,two", "redis-sentinel://:secret@#main", "redis-cluster://:secret@",
                "redis-cluster://:secret@one,,two", "redis-cluster://:secret@one/3", "redis://:secret@db?replicas=0",
                "redis://:secret@db?replicas=10", "redis://:secret@db?replicas=",
                "redis://:secret@db?replicas=1&replicas=2")) {
            assertThatThrownBy(() -> RedisOptions.at(url)).as(url).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
        for (String prefix : List.of("", "a{b}", "a b", "a".repeat(61))) {
            assertThatThrownBy(() -> RedisOptions.at("redis://db").withPrefix(prefix))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("\"" + prefix + "\"");
        }
    }
}
