package dev.orderly.live;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of live connections on one node. Immutable: each method returns a copy, and throws
 * {@link IllegalArgumentException} naming the value that is out of its bounds.
 */
public final class LiveOptions {
    /** The number of users of one address who may send at their full rate at once. */
    static final int USERS_OF_AN_ADDRESS = 10;

    /** 10,000 in all, 20 a user, 200 an address, 20 messages a second, 10 s. */
    public static final LiveOptions DEFAULT = new LiveOptions(
            new Values(10_000, 20, 200, 20, Duration.ofSeconds(1), Duration.ofSeconds(10)));

    private final Values values;

    private record Values(int connections, int connectionsPerUser, int connectionsPerAddress, int messages,
            Duration per, Duration timeout) {
        Values {
            check("connections", connections, 1_000_000);
            check("connections per user", connectionsPerUser, 1_000);
            check("connections per address", connectionsPerAddress, 100_000);
            check("messages", messages, 10_000);
            check("span of messages", per, Duration.ofMillis(100));
            check("timeout of a message", timeout, Duration.ofMillis(1));
        }
    }

    private LiveOptions(Values values) {
        this.values = values;
    }

    /** Connections open at once, authenticated or not, 1 to 1,000,000. */
    public int connections() {
        return values.connections;
    }

    /** Connections of a user open at once, 1 to 1,000. */
    public int connectionsPerUser() {
        return values.connectionsPerUser;
    }

    /** Connections of an address open at once, 1 to 100,000; a whole company may share one address. */
    public int connectionsPerAddress() {
        return values.connectionsPerAddress;
    }

    /**
     * Messages a user may send in {@link #per} over all connections, 1 to 10,000; twice as many at once after a pause;
     * one address may send {@value #USERS_OF_AN_ADDRESS} times as many, for all its users together.
     */
    public int messages() {
        return values.messages;
    }

    /** The span of {@link #messages}, 100 ms to 1 h. */
    public Duration per() {
        return values.per;
    }

    /** The longest run of the handler for one message, 1 ms to 1 h. */
    public Duration timeout() {
        return values.timeout;
    }

    public LiveOptions withConnections(int value) {
        return new LiveOptions(new Values(value, values.connectionsPerUser, values.connectionsPerAddress,
                values.messages, values.per, values.timeout));
    }

    public LiveOptions withConnectionsPerUser(int value) {
        return new LiveOptions(new Values(values.connections, value, values.connectionsPerAddress, values.messages,
                values.per, values.timeout));
    }

    public LiveOptions withConnectionsPerAddress(int value) {
        return new LiveOptions(new Values(values.connections, values.connectionsPerUser, value, values.messages,
                values.per, values.timeout));
    }

    public LiveOptions withTimeout(Duration value) {
        Objects.requireNonNull(value, "value");
        return new LiveOptions(new Values(values.connections, values.connectionsPerUser, values.connectionsPerAddress,
                values.messages, values.per, value));
    }

    public LiveOptions withMessages(int count, Duration span) {
        Objects.requireNonNull(span, "span");
        return new LiveOptions(new Values(values.connections, values.connectionsPerUser, values.connectionsPerAddress,
                count, span, values.timeout));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LiveOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "LiveOptions" + values.toString().substring("Values".length());
    }

    private static void check(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("Live " + what + ": " + value + ", use 1 to " + most);
        }
    }

    private static void check(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "Live " + what + ": " + DurationText.of(value) + ", use " + DurationText.of(least) + " to 1 h");
        }
    }
}
