package dev.orderly.store.redis;

import dev.orderly.room.RoomMode;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.GateLease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The arguments of a script, in the order in which it reads them. Moments are milliseconds. Not thread-safe. */
final class ScriptArguments {
    /** The bound up to which whole numbers are exact in Lua. */
    private static final long EXACT = 1L << 53;
    private static final int RUN = 1;
    private static final int KNOWN_STAMP = 3;
    private static final String CALLING = modes(RoomMode::calls);
    private static final String ADMITTING = modes(RoomMode::admits);

    private final List<String> arguments = new ArrayList<>();

    /** @param stamp unique to the call */
    ScriptArguments(Instant now, String stamp) {
        add(now).add("").add(stamp).add("").add(CALLING).add(ADMITTING).add(GateLease.LONGEST.toMillis());
    }

    private static String modes(Predicate<RoomMode> rule) {
        return Arrays.stream(RoomMode.values()).filter(rule).map(RoomMode::name)
                .collect(Collectors.joining(",", ",", ","));
    }

    /** Sets the stamp of the revoked visitors that the caller knows. */
    void knows(String stamp) {
        arguments.set(KNOWN_STAMP, stamp);
    }

    ScriptArguments add(String argument) {
        arguments.add(argument);
        return this;
    }

    ScriptArguments addUnlessNull(@Nullable String argument) {
        return argument == null ? this : add(argument);
    }

    ScriptArguments add(long number) {
        return add(Long.toString(Math.clamp(number, -EXACT, EXACT)));
    }

    ScriptArguments add(Instant moment) {
        return add(millis(moment));
    }

    ScriptArguments add(VisitorId visitor) {
        return add(visitor.toString());
    }

    private static long millis(Instant moment) {
        try {
            return moment.toEpochMilli();
        } catch (ArithmeticException e) {
            return moment.getEpochSecond() < 0 ? -EXACT : EXACT; // before or after every relevant moment
        }
    }

    /** @param run run of the asked server */
    String[] arguments(String run) {
        arguments.set(RUN, run);
        return arguments.toArray(String[]::new);
    }
}
