package dev.orderly.http.alert;

import dev.orderly.http.alert.Observed.Condition;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of all conditions between two steps. Immutable.
 *
 * @param tracked conditions that hold or were reported, by kind and subject
 * @param letters the dead letters of queues as last reported
 */
public record AlertState(Map<String, Tracked> tracked, Map<String, Letters> letters) {
    /** Nothing holds, and nothing was reported. */
    public static final AlertState NONE = new AlertState(Map.of(), Map.of());
    /** The most conditions that are tracked; further ones are left out until others have ended. */
    static final int MAX = 150;

    public AlertState {
        tracked = Map.copyOf(new TreeMap<>(tracked));
        letters = Map.copyOf(new TreeMap<>(letters));
    }

    /**
     * A condition.
     *
     * @param since its beginning
     * @param absentSince the moment from which it holds no longer; null while it holds
     * @param reported whether its beginning was reported
     */
    public record Tracked(Instant since, @Nullable Instant absentSince, boolean reported) {}

    /**
     * The dead letters of a queue.
     *
     * @param known their number, as far as it was reported
     * @param reportedAt the last report; null if there was none
     */
    public record Letters(long known, @Nullable Instant reportedAt) {}

    static String key(Condition condition) {
        return condition.kind().wire() + " " + condition.subject();
    }

    static Condition condition(String key) {
        int space = key.indexOf(' ');
        return new Condition(AlertKind.of(key.substring(0, space)).orElse(AlertKind.TEST), key.substring(space + 1));
    }
}
