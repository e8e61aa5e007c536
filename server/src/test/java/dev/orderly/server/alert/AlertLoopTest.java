package dev.orderly.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.alert.AlertKind;
import dev.orderly.http.alert.Observed;
import dev.orderly.http.webhook.AlertReceiver;
import dev.orderly.http.webhook.Webhook;
import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.web.webhook.WebhookSecret;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several nodes that look after the same alerts, by a clock that the test sets. */
class AlertLoopTest {
    private static final List<WebhookSecret> SECRETS = List
            .of(WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

    private final ManualTime time = new ManualTime();
    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final AlertReceiverStub receiver = new AlertReceiverStub(SECRETS);
    private final HttpClient client = WebhookHandler.newClient();
    private boolean waits;
    private final AlertLoop one = node("one");
    private final AlertLoop other = node("other");

    AlertLoopTest() throws Exception {}

    private Observed observe(Instant now) {
        Observed observed = new Observed().knows(AlertKind.ROOM_QUEUEING).knows(AlertKind.STORE_AWAY);
        return waits ? observed.holds(AlertKind.ROOM_QUEUEING, "sale", "3 visitors wait at " + now) : observed;
    }

    private AlertLoop node(String name) {
        return new AlertLoop(new SharedAlerts(store.keyValues(), name), this::observe,
                new AlertReceiver(new Webhook(URI.create(receiver.url()), SECRETS), client,
                        Time.system()),
                time, time::now);
    }

    @AfterEach
    void close() {
        client.close();
        receiver.close();
        store.close();
    }

    private void rounds(int seconds, AlertLoop... nodes) {
        for (int i = 0; i < seconds; i += 5) {
            time.advance(Duration.ofSeconds(5));
            for (AlertLoop node : nodes) {
                node.step();
            }
        }
    }

    @Test
    void ofSeveralNodesOneReportsAndAnotherGoesOnWhenItDies() {
        waits = true;
        rounds(60, one, other);
        assertThat(receiver.of("room.queueing")).containsExactly("room.queueing began sale");
        rounds(60, other);
        waits = false;
        rounds(120, other);
        assertThat(receiver.of("room.queueing")).containsExactly("room.queueing began sale",
                "room.queueing over sale");
        assertThat(receiver.faults()).isEmpty();
    }

    @Test
    void anAlertIsRepeatedUntilItIsTakenAlsoByTheNodeThatTakesOver() {
        receiver.refusals.set(3);
        waits = true;
        rounds(25, one);
        assertThat(receiver.taken()).isEmpty();
        rounds(120, other);
        assertThat(receiver.of("room.queueing")).containsExactly("room.queueing began sale");
    }

    @Test
    void aStoreThatIsAwayIsReportedOnceByTheNodeThatReportedBefore() {
        rounds(20, one, other);
        store.failRandomly(1, 1);
        rounds(120, one, other);
        assertThat(receiver.of("store.away")).containsExactly("store.away began store");
        store.heal();
        rounds(60, one, other);
        assertThat(receiver.of("store.away")).containsExactly("store.away began store", "store.away over store");
    }

    @Test
    void aNodeThatStopsLeavesTheAlertsToAnotherAtOnce() {
        rounds(5, one);
        one.close();
        waits = true;
        rounds(25, other);
        assertThat(receiver.of("room.queueing")).hasSize(1);
    }
}
