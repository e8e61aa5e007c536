package dev.orderly.http.acme;

import dev.orderly.http.acme.OpenChallenges.Answers;
import dev.orderly.http.acme.RenewalState.Failure;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The right of one node to request a certificate, and what all nodes know of the request. Every change replaces the
 * state that this node has read last, so that a node whose lease is over changes nothing. The store's clock stamps and
 * judges it. Belongs to one thread.
 */
final class RenewalLease {
    /** Longer than a request takes with all its waits. */
    static final Duration LEASE = Duration.ofMinutes(10);
    /** The time after which a state that nobody changes is forgotten. */
    private static final Duration KEPT = Duration.ofDays(400);
    private static final int NODE_BYTES = 12;

    private final KeyValueStore values;
    private final String key;
    private final Time time;
    private final String node;
    private RenewalState state = RenewalState.IDLE;
    private long version = KeyValueStore.ABSENT;

    RenewalLease(KeyValueStore values, String key, Time time) {
        this.values = values;
        this.key = key;
        this.time = time;
        this.node = values.isShared() ? random() : "this"; // the next process of a store of one process continues
    }

    private static String random() {
        byte[] name = new byte[NODE_BYTES];
        new SecureRandom().nextBytes(name);
        return HexFormat.of().formatHex(name);
    }

    /** Reads the state. */
    RenewalState read() {
        Optional<StoredValue> found = values.read(key, time.now());
        version = found.map(StoredValue::version).orElse(KeyValueStore.ABSENT);
        state = found.map(value -> parsed(value.text())).orElse(RenewalState.IDLE);
        return state;
    }

    private static RenewalState parsed(String text) {
        try {
            return JsonMapper.shared().readValue(text, RenewalState.class);
        } catch (JacksonException _) {
            return RenewalState.IDLE; // of another version of this program
        }
    }

    /** Increases with each change of the state by any node. */
    long version() {
        return version;
    }

    /** The wait until this node may request. */
    Duration wait(boolean retryNow) {
        return state.waitFor(node, time.now(), retryNow);
    }

    /** Takes the right to request; false if another node came first. */
    boolean take() {
        return replace(new RenewalState(node, time.now().plus(LEASE).toEpochMilli(), Answers.NONE, state.failure()));
    }

    /** Lets every node answer challenges, and extends the lease; false if it is over and another node has it. */
    boolean publish(Answers answers) {
        return replace(new RenewalState(node, time.now().plus(LEASE).toEpochMilli(), answers, state.failure()));
    }

    /** Ends the request. Without effect if another node has taken over. */
    void end(Failure failure) {
        replace(new RenewalState("", 0, Answers.NONE, failure));
    }

    private boolean replace(RenewalState next) {
        OptionalLong replaced = values.replace(key, version, JsonMapper.shared().writeValueAsString(next),
                time.now().plus(KEPT), time.now());
        if (replaced.isPresent()) {
            version = replaced.getAsLong();
            state = next;
        }
        return replaced.isPresent();
    }
}
