package dev.orderly.testkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.NodeId;
import dev.orderly.live.LiveEngine;
import dev.orderly.live.LiveNode;
import dev.orderly.live.LiveOptions;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Several nodes on one store: it makes no difference to users to which node they are connected. */
class LiveOverNodesTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(time);
    private final FaultyStore faulty = new FaultyStore(store.beside());
    private final Lifecycle lifeOfEast = new Lifecycle();
    private final Lifecycle lifeOfWest = new Lifecycle();
    private final LiveEngine east = node("east", store, lifeOfEast);
    private final LiveEngine west = node("west", faulty, lifeOfWest);
    private final List<String> told = new CopyOnWriteArrayList<>();

    private LiveEngine node(String name, Store seen, Lifecycle life) {
        LiveEngine engine = new LiveEngine(LiveOptions.DEFAULT, time, JsonMapper.shared(),
                new LiveNode(new NodeId(name), seen.bus(), seen.presence()), life);
        engine.users().onOnline(user -> told.add(name + ": " + user + " online"));
        engine.users().onOffline(user -> told.add(name + ": " + user + " offline"));
        return engine;
    }

    @Test
    void aMessageReachesAllDevicesOfItsReceiversOnAllNodesInOrder() {
        Tab phone = Tab.of(east, "ann").tab();
        Tab desk = Tab.of(west, "ann").tab();
        Tab bob = Tab.of(west, "bob").tab();
        Tab other = Tab.of(west, "eve").tab();
        List<String> sent = IntStream.range(0, 100).mapToObj(n -> "message " + n).toList();
        sent.forEach(text -> east.users().to(new UserId("ann"), new UserId("bob")).send(text));
        assertThat(phone.heard).isEqualTo(sent);
        await().until(() -> desk.heard.size() == sent.size() && bob.heard.size() == sent.size());
        assertThat(desk.heard).isEqualTo(sent);
        assertThat(bob.heard).isEqualTo(sent);
        assertThat(other.heard).isEmpty();
    }

    @Test
    void everyTypeOfMessageArrivesUnchanged() {
        Tab ann = Tab.of(west, "ann é \uD83D\uDE42").tab();
        east.users().to(new UserId("ann é \uD83D\uDE42")).send(Map.of("seat", 7));
        east.users().to(new UserId("ann é \uD83D\uDE42")).send("text");
        east.users().to(new UserId("ann é \uD83D\uDE42")).send(new byte[]{0, -1, 7});
        await().until(() -> ann.messages.size() == 3);
        assertThat(ann.heard.subList(0, 2)).containsExactly("{\"seat\":7}", "text");
        assertThat(ann.messages.get(2).bytes()).containsExactly(0, -1, 7);
        assertThat(ann.messages).extracting(message -> message.getClass().getSimpleName())
                .containsExactly("Json", "Text", "Bytes");
    }

    @Test
    void aUserIsOnlineFromTheFirstConnectionToTheLastOverAllNodes() {
        Tab.Open phone = Tab.of(east, "ann");
        await().until(() -> west.users().isOnline(new UserId("ann")));
        Tab.Open desk = Tab.of(west, "ann");
        await().until(() -> !store.presence().elsewhere(new NodeId("east"), Set.of(new UserId("ann"))).isEmpty());
        phone.session().closed();
        await().until(() -> store.presence().elsewhere(new NodeId("west"), Set.of(new UserId("ann"))).isEmpty());
        assertThat(east.users().isOnline(new UserId("ann"))).isTrue();
        desk.session().closed();
        await().until(() -> !east.users().isOnline(new UserId("ann")) && !west.users().isOnline(new UserId("ann")));
        await().until(() -> told.size() == 2);
        assertThat(told).containsExactly("east: ann online", "west: ann offline");
    }

    @Test
    void aNodesDeathMakesItsUsersOffline() {
        lifeOfEast.start();
        Tab.of(west, "ann");
        await().until(() -> east.users().isOnline(new UserId("ann")));
        faulty.failNext(Call.PRESENCE_BEAT, Fault.BEFORE, 1_000); // as if the node had died
        Instant died = time.now();
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            time.advance(Duration.ofSeconds(1));
            return !east.users().isOnline(new UserId("ann"));
        });
        assertThat(Duration.between(died, time.now())).as("35 s, and the steps of the clock")
                .isBetween(Duration.ofSeconds(25), Duration.ofSeconds(38));
        await().until(() -> told.contains("east: ann offline")); // the clocks stand still meanwhile
    }

    @Test
    void aNodeThatWasDeclaredDeadReportsItsUsersAgain() {
        Tab.of(west, "ann");
        await().until(() -> east.users().isOnline(new UserId("ann")));
        store.presence().leave(new NodeId("west"));
        assertThat(east.users().isOnline(new UserId("ann"))).isFalse();
        time.advance(Duration.ofSeconds(5));
        await().until(() -> east.users().isOnline(new UserId("ann")));
    }

    @Test
    void changesDuringAnOutageAreReportedAfterwards() {
        faulty.failNext(Call.PRESENCE_NOTE, Fault.BEFORE, 2);
        Tab.Open gone = Tab.of(west, "bob");
        Tab.of(west, "ann");
        gone.session().closed();
        await().until(() -> {
            time.advance(Duration.ofSeconds(1));
            return east.users().isOnline(new UserId("ann")) && told.contains("west: bob offline");
        });
        assertThat(east.users().isOnline(new UserId("bob"))).isFalse();
    }

    @Test
    void aStoppingNodeMakesItsUsersOfflineAtOnce() {
        Tab.of(west, "ann");
        await().until(() -> east.users().isOnline(new UserId("ann")));
        lifeOfWest.end();
        assertThat(east.users().isOnline(new UserId("ann"))).isFalse();
        await().until(() -> told.contains("west: ann offline"));
    }

    @Test
    void aUserConnectedToThisNodeIsOnlineEvenDuringAnOutage() {
        Tab.of(west, "ann");
        faulty.failRandomly(1, 1);
        assertThat(west.users().isOnline(new UserId("ann"))).isTrue();
        assertThatThrownBy(() -> west.users().isOnline(new UserId("bob")))
                .isInstanceOf(StoreException.class);
    }
}
