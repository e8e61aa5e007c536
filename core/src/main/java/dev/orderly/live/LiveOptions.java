package dev.orderly.live;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of live connections on one node.
 *
 * @param connections open at once, authenticated or not, 1 to 1,000,000
 * @param connectionsPerUser open at once, 1 to 1,000
 * @param connectionsPerAddress open at once, 1 to 100,000; a whole company may share one address
 * @param messages a user may send in {@code per} over all connections, 1 to 10,000; twice as many at once after a
 *   pause; one address may send {@value #USERS_OF_AN_ADDRESS} times as many, for all its users together
 * @param per 100 ms to 1 h
 * @param timeout of the handler for one message, 1 ms to 1 h
 */
public record LiveOptions(int connections, int connectionsPerUser, int connectionsPerAddress, int messages,
        Duration per,
        Duration timeout) {
    /** The number of users of one address who may send at their full rate at once. */
    static final int USERS_OF_AN_ADDRESS = 10;

    /** 10,000 in all, 20 a user, 200 an address, 20 messages a second, 10 s. */
    public static final LiveOptions DEFAULT = new LiveOptions(10_000, 20, 200, 20, Duration.ofSeconds(1),
            Duration.ofSeconds(10));

    /** @throws IllegalArgumentException naming the value that is out of its bounds */
    public LiveOptions {
        Objects.requireNonNull(per, "per");
        Objects.requireNonNull(timeout, "timeout");
        check("connections", connections, 1_000_000);
        check("connections per user", connectionsPerUser, 1_000);
        check("connections per address", connectionsPerAddress, 100_000);
        check("messages", messages, 10_000);
        check("span of messages", per, Duration.ofMillis(100));
        check("timeout of a message", timeout, Duration.ofMillis(1));
    }

    public LiveOptions withConnections(int value) {
        return new LiveOptions(value, connectionsPerUser, connectionsPerAddress, messages, per, timeout);
    }

    public LiveOptions withConnectionsPerUser(int value) {
        return new LiveOptions(connections, value, connectionsPerAddress, messages, per, timeout);
    }

    public LiveOptions withConnectionsPerAddress(int value) {
        return new LiveOptions(connections, connectionsPerUser, value, messages, per, timeout);
    }

    public LiveOptions withMessages(int count, Duration span) {
        Objects.requireNonNull(span, "span");
        return new LiveOptions(connections, connectionsPerUser, connectionsPerAddress, count, span, timeout);
    }

    public LiveOptions withTimeout(Duration value) {
        Objects.requireNonNull(value, "value");
        return new LiveOptions(connections, connectionsPerUser, connectionsPerAddress, messages, per, value);
    }

    private static void check(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("Live " + what + ": " + value + ", use 1 to " + most);
        }
    }

    private static void check(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("Live " + what + ": " + value + ", use " + least + " to PT1H");
        }
    }
}
