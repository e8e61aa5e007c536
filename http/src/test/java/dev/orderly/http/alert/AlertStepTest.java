package dev.orderly.http.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.alert.Alert.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state machine of alerts, by a clock that the test sets. */
class AlertStepTest {
    private Instant now = Instant.parse("2026-11-22T20:00:00Z");
    private AlertState state = AlertState.NONE;
    private int ids;

    private List<Alert> tick(long seconds, Observed observed) {
        now = now.plusSeconds(seconds);
        AlertStep step = AlertStep.tick(state, now, observed, () -> "alert-" + ++ids);
        state = step.state();
        return step.alerts();
    }

    private static Observed line(boolean waits) {
        Observed observed = new Observed().knows(AlertKind.ROOM_QUEUEING);
        return waits ? observed.holds(AlertKind.ROOM_QUEUEING, "sale", "12 visitors wait.") : observed;
    }

    private static Observed dead(long letters) {
        return new Observed().knows(AlertKind.QUEUE_DEAD).dead("mail", letters);
    }

    @Test
    void aConditionIsReportedOnceWhenItHasHeldAndOnceWhenItIsOver() {
        Instant began = now.plusSeconds(1);
        assertThat(tick(1, line(true))).isEmpty();
        assertThat(tick(14, line(true))).isEmpty();
        assertThat(tick(1, line(true))).singleElement().satisfies(alert -> {
            assertThat(alert.kind()).isEqualTo(AlertKind.ROOM_QUEUEING);
            assertThat(alert.phase()).isEqualTo(Phase.BEGAN);
            assertThat(alert.subject()).isEqualTo("sale");
            assertThat(alert.since()).isEqualTo(began);
        });
        for (int i = 0; i < 100; i++) {
            assertThat(tick(5, line(true))).isEmpty();
        }
        assertThat(tick(5, line(false))).isEmpty();
        assertThat(tick(59, line(false))).isEmpty();
        assertThat(tick(1, line(false))).singleElement().satisfies(alert -> {
            assertThat(alert.phase()).isEqualTo(Phase.OVER);
            assertThat(alert.since()).isEqualTo(began);
        });
        assertThat(tick(5, line(false))).isEmpty();
        assertThat(state).isEqualTo(AlertState.NONE);
    }

    @Test
    void aConditionThatComesAndGoesIsOneCondition() {
        List<Alert> alerts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            alerts.addAll(tick(5, line(i % 10 < 7)));
        }
        assertThat(alerts).extracting(Alert::phase).containsExactly(Phase.BEGAN);
    }

    @Test
    void aConditionThatHoldsForAMomentIsNotReported() {
        for (int i = 0; i < 50; i++) {
            assertThat(tick(5, line(i % 3 == 0))).isEmpty();
        }
    }

    @Test
    void whatIsUnknownNeitherBeginsNorEnds() {
        tick(1, line(true));
        tick(20, line(true));
        for (int i = 0; i < 50; i++) {
            assertThat(tick(60, new Observed())).isEmpty();
        }
        assertThat(tick(5, line(true))).isEmpty();
        assertThat(tick(5, line(false))).isEmpty();
        assertThat(tick(60, line(false))).extracting(Alert::phase).containsExactly(Phase.OVER);
    }

    @Test
    void deadLettersAreReportedWithTheirNumberAtMostOnceAMinute() {
        assertThat(tick(1, dead(40))).isEmpty();
        assertThat(tick(5, dead(41))).singleElement().satisfies(alert -> {
            assertThat(alert.phase()).isEqualTo(Phase.EVENT);
            assertThat(alert.count()).isEqualTo(1);
        });
        assertThat(tick(5, dead(50))).isEmpty();
        assertThat(tick(5, dead(141))).isEmpty();
        assertThat(tick(50, dead(141))).extracting(Alert::count).containsExactly(100L);
        assertThat(tick(60, dead(3))).isEmpty();
        assertThat(tick(60, dead(4))).extracting(Alert::count).containsExactly(1L);
    }

    @Test
    void conditionsBeyondTheBoundAreLeftOut() {
        Observed many = new Observed().knows(AlertKind.NODE_GONE);
        for (int i = 0; i < 2 * AlertState.MAX; i++) {
            many.holds(AlertKind.NODE_GONE, "node-" + i, "gone");
        }
        assertThat(tick(1, many)).isEmpty();
        assertThat(tick(15, many)).hasSize(AlertState.MAX);
        assertThat(tick(Duration.ofDays(1).toSeconds(), many)).isEmpty();
    }
}
