package dev.orderly.http.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.TestCertificates;
import dev.orderly.http.tls.TlsLibrary;
import dev.orderly.http.user.Tokens;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.live.LiveOptions;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages in both directions over WebSockets. */
class LiveSocketTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final LiveNode node = new LiveNode(LiveOptions.DEFAULT, HttpLimits.DEFAULT.withStop(Duration.ofSeconds(2)));

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aMessageReachesAllDevicesOfItsUserAndNoOtherUser() {
        LiveClient tab = node.tab("ann");
        LiveClient second = node.tab("ann");
        LiveClient app = LiveClient.open(node, "Authorization", "Bearer " + node.token("ann"));
        LiveClient late = LiveClient.open(node).says("{\"token\":\"" + node.token("ann") + "\"}");
        LiveClient bob = node.tab("bob");
        late.awaitHeard("{\"orderly\":\"ready\"}");
        await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 4);

        node.users().to(new UserId("ann")).send(Map.of("status", "packaging"));
        node.users().to(new UserId("ann"), new UserId("bob")).send("done");

        for (LiveClient device : List.of(tab, second, app)) {
            device.awaitHeard("done");
            assertThat(device.heard).containsExactly("{\"status\":\"packaging\"}", "done");
        }
        late.awaitHeard("done");
        assertThat(late.heard).containsExactly("{\"orderly\":\"ready\"}", "{\"status\":\"packaging\"}", "done");
        bob.awaitHeard("done");
        assertThat(bob.heard).containsExactly("done");
    }

    @ParameterizedTest
    @EnumSource(TlsLibrary.class)
    void messagesPassOverTls(TlsLibrary library) {
        TestAuthority authority = new TestAuthority(Time.system().now());
        ListenerTls tls = TestCertificates.tls(library, authority, "localhost");
        try (LiveNode secure = new LiveNode(tls, authority.clientContext())) {
            LiveClient tab = secure.tab("ann");
            secure.users().to(new UserId("ann")).send("x".repeat(60_000));
            tab.awaitHeard("x".repeat(60_000));
            tab.leaves();
            assertThat(tab.awaitClosed()).isEqualTo(1000);
        }
    }

    @Test
    void aClientThatReconnectsReceivesOnlyLaterMessages() {
        LiveClient first = node.tab("ann");
        first.leaves();
        assertThat(first.awaitClosed()).isEqualTo(1000);
        await().atMost(SOON).until(() -> !node.users().isOnline(new UserId("ann")));
        node.users().to(new UserId("ann")).send("missed");

        LiveClient again = node.tab("ann");
        node.users().to(new UserId("ann")).send("heard");

        again.awaitHeard("heard");
        assertThat(again.heard).containsExactly("heard");
    }

    @Test
    void jsonTextAndBytesKeepTheirTypeInBothDirections() {
        node.users().onMessage(message -> {
            message.connection().send(message.message().getClass().getSimpleName() + " of " + message.user());
            message.connection().send(message.bytes());
        });
        LiveClient ann = node.tab("ann");

        ann.says("{\"a\":1}").says("just text").says("[1] [2]").says(new byte[]{0, (byte) 200});

        ann.awaitHeard("Bytes of ann");
        assertThat(ann.heard).containsExactly("Json of ann", "Text of ann", "Text of ann", "Bytes of ann");
        await().atMost(SOON).until(() -> ann.bytes.size() == 4);
        assertThat(ann.bytes.getLast()).containsExactly(0, 200);
        node.users().to(new UserId("ann")).send("grüße 🎫");
        ann.awaitHeard("grüße 🎫");
    }

    @Test
    void aHandlerThatFailsOrExceedsItsTimeoutIsReportedToTheClient() {
        node.users().onMessage(message -> {
            if (message.text().equals("slow")) {
                new CountDownLatch(1).await();
            }
            throw new IllegalStateException("secret");
        });
        LiveClient ann = node.tab("ann");

        ann.says("bad").says("slow");

        ann.awaitHeard("{\"error\":\"The message could not be handled\"}");
        await().atMost(SOON).until(() -> {
            node.time.advance(Duration.ofSeconds(1));
            return ann.heard.contains("{\"error\":\"The message could not be handled in time\"}");
        });
        assertThat(ann.heard).hasSize(2).noneMatch(text -> text.contains("secret"));
    }

    @Test
    void aJobPushedInTheHandlerBelongsToTheUserAndItsHandlerAnswersAllDevices() {
        StandardQueue<String> orders = node.orderly.queue("orders", String.class);
        node.orderly.handle(orders, (order, job) -> job.send(Map.of("id", job.id().toString(), "order", order)));
        node.orderly.start();
        List<JobId> pushed = new CopyOnWriteArrayList<>();
        node.users().onMessage(message -> pushed.add(orders.push(message.text())));
        LiveClient ann = node.tab("ann");
        LiveClient other = node.tab("ann");

        ann.says("seat 7");

        await().atMost(SOON).until(() -> other.heard.size() == 1 && ann.heard.size() == 1);
        assertThat(node.orderly.jobs().find(pushed.getFirst()).orElseThrow().user()).isEqualTo(new UserId("ann"));
        assertThat(ann.heard.getFirst()).contains(pushed.getFirst().toString());
    }

    @Test
    void aUserIsOnlineUntilTheLastTabIsClosedOrCutOff() {
        List<String> told = new CopyOnWriteArrayList<>();
        node.users().onOnline(user -> told.add("+" + user));
        node.users().onOffline(user -> told.add("-" + user));

        LiveClient one = node.tab("ann");
        try (LiveSocket _ = new LiveSocket(node, node.token("ann"))) {
            await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 2);
            one.leaves();
            await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 1);
            assertThat(node.users().isOnline(new UserId("ann"))).isTrue();
        }
        await().atMost(SOON).until(() -> told.equals(List.of("+ann", "-ann")));
    }

    @Test
    void messagesBeyondTheRateAreRefusedAndAFloodEndsTheConnection() {
        node.users().onMessage(_ -> {});
        LiveClient ann = node.tab("ann");
        for (int n = 0; n < 300 && ann.code == 0; n++) {
            try {
                ann.says("flood");
            } catch (RuntimeException _) {
                break; // it is closed already
            }
        }
        assertThat(ann.awaitClosed()).isIn(4429, 1006);
        assertThat(ann.heard).contains("{\"error\":\"Messages come too fast: wait a moment and send it again\"}");
    }

    @Test
    void aServerThatStopsClosesEvenConnectionsThatDoNotAnswer() {
        LiveClient ann = node.tab("ann");
        try (LiveSocket deaf = new LiveSocket(node, node.token("bob"))) {
            await().atMost(SOON).until(() -> node.users().isOnline(new UserId("bob")));
            node.edge.close();
            assertThat(ann.awaitClosed()).isEqualTo(1001);
            assertThat(deaf.closeCode()).isEqualTo(1001);
        }
        await().atMost(SOON)
                .until(() -> !node.users().isOnline(new UserId("ann")) && !node.users().isOnline(new UserId("bob")));
    }

    @Test
    void endedConnectionsFreeTheLimitsOfTheListener() {
        try (LiveNode small = new LiveNode(LiveOptions.DEFAULT,
                HttpLimits.DEFAULT.withCapacity(new HttpLimits.Capacity(4, 100, 1 << 20, 16 << 10, 8 << 10)))) {
            for (int n = 0; n < 12; n++) {
                LiveClient tab = small.tab("ann");
                tab.leaves();
                tab.awaitClosed();
                await().atMost(SOON).until(() -> !small.users().isOnline(new UserId("ann")));
            }
        }
    }

    @Test
    void aConnectionEndsWhenItsTokenExpires() {
        LiveClient short1 = LiveClient.open(node, "Authorization",
                "Bearer " + Tokens.of("ann", node.time.now().plusSeconds(30)));
        LiveClient long1 = node.tab("ann");
        await().atMost(SOON).until(() -> {
            node.time.advance(Duration.ofSeconds(1));
            return short1.code != 0;
        });
        assertThat(short1.code).isEqualTo(4401);
        assertThat(long1.code).isZero();
    }
}
