package dev.orderly.testkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Registration;
import dev.orderly.flow.Lifecycle;
import dev.orderly.live.LiveEngine;
import dev.orderly.live.LiveOptions;
import dev.orderly.testkit.ManualTime;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Presence of users, and its callbacks. */
class PresenceTest {
    private final LiveEngine live = new LiveEngine(LiveOptions.DEFAULT, new ManualTime(), JsonMapper.shared(),
            new Lifecycle());

    @Test
    void aUserIsOnlineFromTheFirstConnectionUntilAfterTheLast() {
        List<String> told = new CopyOnWriteArrayList<>();
        live.users().onOnline(user -> told.add(user + " online, scope " + UserScope.current().orElseThrow()));
        live.users().onOffline(user -> told.add(user + " offline"));

        Tab.Open phone = Tab.of(live, "ann");
        Tab.Open desk = Tab.of(live, "ann");
        phone.session().closed();
        assertThat(live.users().isOnline(new UserId("ann"))).isTrue();
        desk.session().closed();
        desk.session().closed();

        assertThat(live.users().isOnline(new UserId("ann"))).isFalse();
        await().until(() -> told.size() == 2);
        assertThat(told).containsExactly("ann online, scope ann", "ann offline");
    }

    @Test
    void aClosedCallbackIsCalledNoMore() {
        List<String> told = new CopyOnWriteArrayList<>();
        Registration closed = live.users().onOnline(user -> told.add("closed " + user));
        live.users().onOnline(user -> told.add("online " + user));
        Registration offline = live.users().onOffline(user -> told.add("offline " + user));
        closed.close();
        closed.close();
        Tab.Open tab = Tab.of(live, "ann");
        await().until(() -> told.equals(List.of("online ann")));
        offline.close();
        tab.session().closed();
        Tab.of(live, "bob");
        await().until(() -> told.equals(List.of("online ann", "online bob")));
    }

    @Test
    void aClosedHandlerOfMessagesGivesWayToAnother() {
        Registration first = live.users().onMessage(message -> message.connection().send("first " + message.text()));
        assertThatThrownBy(() -> live.users().onMessage(_ -> {})).hasMessageContaining("handler already");
        first.close();
        live.users().onMessage(message -> message.connection().send("second " + message.text()));
        first.close();
        assertThatThrownBy(() -> live.users().onMessage(_ -> {})).hasMessageContaining("handler already");
    }

    @Test
    void aCallbackThatFailsAffectsNoOther() {
        List<String> told = new CopyOnWriteArrayList<>();
        live.users().onOnline(_ -> {
            throw new IllegalStateException("not today");
        });
        live.users().onOnline(user -> told.add("online " + user));
        live.users().onOffline(user -> told.add("offline " + user));

        Tab.of(live, "ann").session().closed();

        await().until(() -> told.equals(List.of("online ann", "offline ann")));
    }

    @Test
    void amongAThousandConcurrentChangesNoneIsLostOrReordered() throws Exception {
        Map<String, List<Boolean>> told = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        live.users().onOnline(user -> tell(told, inside, overlaps, user.value(), true));
        live.users().onOffline(user -> tell(told, inside, overlaps, user.value(), false));
        int threads = 16;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Tab.Open> stay = new CopyOnWriteArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int t = 0; t < threads; t++) {
                Random random = new Random(t);
                var _ = pool.submit(() -> {
                    start.await();
                    for (int n = 0; n < 1_000; n++) {
                        Tab.Open tab = Tab.of(live, "user " + random.nextInt(3));
                        tab.session().closed();
                    }
                    if (random.nextBoolean()) {
                        stay.add(Tab.of(live, "user 0"));
                    }
                    return true;
                });
            }
        }
        assertThat(stay).isNotEmpty();

        await().atMost(Duration.ofSeconds(60)).until(
                () -> last(told, "user 0") && !last(told, "user 1") && !last(told, "user 2"));
        assertThat(overlaps).hasValue(0);
        told.values().forEach(changes -> {
            for (int i = 0; i < changes.size(); i++) {
                assertThat(changes.get(i)).as("change %d of %s", i, changes.size()).isEqualTo(i % 2 == 0);
            }
        });
        assertThat(live.users().isOnline(new UserId("user 0"))).isTrue();
        assertThat(live.users().isOnline(new UserId("user 1"))).isFalse();
    }

    private static boolean last(Map<String, List<Boolean>> told, String user) {
        List<Boolean> changes = told.get(user);
        return changes != null && changes.getLast();
    }

    private static void tell(Map<String, List<Boolean>> told, Map<String, AtomicInteger> inside,
            AtomicInteger overlaps, String user, boolean online) {
        AtomicInteger here = inside.computeIfAbsent(user, _ -> new AtomicInteger());
        if (here.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        told.computeIfAbsent(user, _ -> new CopyOnWriteArrayList<>()).add(online);
        here.decrementAndGet();
    }
}
