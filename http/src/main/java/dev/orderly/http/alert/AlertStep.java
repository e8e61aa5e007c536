package dev.orderly.http.alert;

import dev.orderly.http.alert.Alert.Phase;
import dev.orderly.http.alert.AlertState.Letters;
import dev.orderly.http.alert.AlertState.Tracked;
import dev.orderly.http.alert.Observed.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A step of the state machine of alerts: pure, from what was known and what is observed to what is reported. A
 * condition is reported once when it has held for {@link AlertKind#begins}, and once when it has been absent for {@link
 * AlertKind#ends}, so that a condition that comes and goes is one condition. Dead letters are reported at most once a
 * minute for each queue, with their number; the first look at a queue reports none.
 *
 * @param state for the next step
 * @param alerts to be delivered, in this order
 */
public record AlertStep(AlertState state, List<Alert> alerts) {
    private static final Duration BETWEEN_LETTERS = Duration.ofMinutes(1);

    /** @param ids a new id at each call */
    public static AlertStep tick(AlertState state, Instant now, Observed observed, Supplier<String> ids) {
        Tick tick = new Tick(now, observed, ids);
        Map<String, Tracked> tracked = tick.conditions(state.tracked());
        Map<String, Letters> letters = tick.letters(state.letters());
        return new AlertStep(new AlertState(tracked, letters), List.copyOf(tick.alerts));
    }

    private record Tick(Instant now, Observed observed, Supplier<String> ids, List<Alert> alerts) {
        Tick(Instant now, Observed observed, Supplier<String> ids) {
            this(now, observed, ids, new ArrayList<>());
        }

        Map<String, Tracked> conditions(Map<String, Tracked> before) {
            Map<String, Tracked> after = new HashMap<>();
            before.forEach((key, tracked) -> {
                Condition condition = AlertState.condition(key);
                Tracked next = observed.isKnown(condition.kind()) ? next(condition, tracked) : tracked;
                if (next != null) {
                    after.put(key, next);
                }
            });
            observed.present().forEach((condition, detail) -> {
                String key = AlertState.key(condition);
                if (!before.containsKey(key) && after.size() < AlertState.MAX) {
                    after.put(key, begun(condition, detail, new Tracked(now, null, false)));
                }
            });
            return after;
        }

        /** Null if the condition is over. */
        private @Nullable Tracked next(Condition condition, Tracked tracked) {
            String detail = observed.present().get(condition);
            if (detail != null) {
                return begun(condition, detail, new Tracked(tracked.since(), null, tracked.reported()));
            }
            if (!tracked.reported()) {
                return null;
            }
            Instant absent = tracked.absentSince() == null ? now : tracked.absentSince();
            if (now.isBefore(absent.plus(condition.kind().ends()))) {
                return new Tracked(tracked.since(), absent, true);
            }
            report(condition, Phase.OVER, "It is over.", 1, tracked.since());
            return null;
        }

        private Tracked begun(Condition condition, String detail, Tracked tracked) {
            if (tracked.reported() || now.isBefore(tracked.since().plus(condition.kind().begins()))) {
                return tracked;
            }
            report(condition, Phase.BEGAN, detail, 1, tracked.since());
            return new Tracked(tracked.since(), null, true);
        }

        Map<String, Letters> letters(Map<String, Letters> before) {
            if (!observed.isKnown(AlertKind.QUEUE_DEAD)) {
                return before;
            }
            Map<String, Letters> after = new HashMap<>();
            observed.dead().forEach((queue, number) -> {
                Letters known = before.get(queue);
                if (after.size() < AlertState.MAX) {
                    after.put(queue, known == null ? new Letters(number, null) : letters(queue, number, known));
                }
            });
            return after;
        }

        private Letters letters(String queue, long number, Letters known) {
            Instant last = known.reportedAt();
            if (number <= known.known()) {
                return new Letters(number, last);
            }
            if (last != null && now.isBefore(last.plus(BETWEEN_LETTERS))) {
                return known;
            }
            long more = number - known.known();
            report(new Condition(AlertKind.QUEUE_DEAD, queue), Phase.EVENT, more + " of queue " + queue
                    + " became dead letters; it has " + number + " now.", more, now);
            return new Letters(number, now);
        }

        private void report(Condition condition, Phase phase, String detail, long count, Instant since) {
            alerts.add(new Alert(ids.get(), condition.kind(), phase, condition.subject(), detail, count, since, now));
        }
    }
}
