package dev.orderly.store.redis;

import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Meaning of Redis's errors for callers of the store. */
final class RedisErrors {
    private static final String REPLICA = "READONLY";
    /** Remedies for the answers of a server that has done nothing, by their first word. */
    private static final Map<String, String> REFUSALS = Map.ofEntries(
            Map.entry("LOADING", "it is reading its data after a start: wait"),
            Map.entry(REPLICA, "it is a replica now: give the address of the primary, or one that follows it"),
            Map.entry("MASTERDOWN", "it is a replica that lost its primary: give the address of the primary"),
            Map.entry("OOM", "its memory is full: raise maxmemory, or remove other data"),
            Map.entry("MISCONF", "it cannot write to its disk: look at its log, and free space"),
            Map.entry("NOREPLICAS",
                    "it has too few replicas to write: bring them back, or lower min-replicas-to-write"),
            Map.entry("CLUSTERDOWN", "its cluster has lost nodes: bring them back"),
            Map.entry("MOVED", "the keys are at another node of its cluster: wait, or give the addresses of the cluster"
                    + " (redis-cluster://HOST:PORT,HOST:PORT)"),
            Map.entry("TRYAGAIN", "its cluster is moving the keys of this room: wait"),
            Map.entry("ASK", "its cluster is moving the keys of this room: wait"),
            Map.entry("BUSY", "another client's script runs for too long: end it by SCRIPT KILL"),
            Map.entry("NOAUTH", "it asks for a password: put it into the address"),
            Map.entry("WRONGPASS", "user or password are wrong: correct the address"),
            Map.entry("NOPERM", "the user may not do this: allow EVAL, EVALSHA and all commands on the prefix's keys"));
    /** Answers after which the address may lead to another server. */
    private static final List<String> ELSEWHERE = List.of(REPLICA, "MASTERDOWN", "CLUSTERDOWN");

    private final String name;

    /** @param name name of the store, without secrets */
    RedisErrors(String name) {
        this.name = name;
    }

    /** Error for an answer of the server that is an error. */
    StoreException answered(Throwable error) {
        String text = text(error);
        Optional<Entry<String, String>> refusal = REFUSALS.entrySet().stream()
                .filter(each -> begins(text, each.getKey())).findFirst();
        if (refusal.isPresent()) {
            return refused(refusal.get().getValue() + " (" + text + ")", error);
        }
        if (begins(text, "WRONGTYPE")) {
            return new StoreException.Unusable("The keys in " + name + " are not Orderly's (" + text
                    + "): use another prefix or database", error);
        }
        return new StoreException.OutcomeUnknown("Redis at " + name + " failed in the middle of a call: " + text,
                error);
    }

    /** Error for a server that is a replica. */
    StoreException replica() {
        return refused(Objects.requireNonNull(REFUSALS.get(REPLICA)), null);
    }

    private StoreException refused(String why, @Nullable Throwable error) {
        return new StoreException.Unavailable("Redis at " + name + " refuses: " + why, error);
    }

    /** Whether the answer means that the address may lead to another server now. */
    static boolean isElsewhere(Throwable error) {
        return ELSEWHERE.stream().anyMatch(each -> begins(text(error), each));
    }

    /** Whether the keys are at another server of a cluster. */
    static boolean isMoved(Throwable error) {
        return begins(text(error), "MOVED");
    }

    /** Error for a failure to connect. */
    StoreException unreached(Throwable error) {
        Throwable reason = error;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        String text = text(reason);
        return REFUSALS.keySet().stream().anyMatch(each -> begins(text, each))
                ? answered(reason)
                : new StoreException.Unavailable("Redis at " + name + " is not reached: " + text, error);
    }

    /** Error for a missing connection: nothing was sent. */
    StoreException away(String why) {
        return new StoreException.Unavailable("Redis at " + name + " is not reached: " + why, null);
    }

    /** Error for a command that was sent and got no answer. */
    StoreException lost(String why, Throwable error) {
        return new StoreException.OutcomeUnknown("Redis at " + name + " did not answer: " + why, error);
    }

    /** Error for a change that the primary has made, and that a failover now could lose. */
    StoreException unreplicated(long have, int wanted, Duration waited) {
        return new StoreException.OutcomeUnknown("Redis at " + name + " has made a change, but after "
                + waited.toMillis() + " ms " + have + " of " + wanted
                + " replicas have it: bring replicas back, or lower"
                + " replicas= in the address", null);
    }

    /** Servers before version 7 wrap the error of a script's command in another message. */
    private static boolean begins(String text, String word) {
        return text.startsWith(word + " ") || text.contains("-" + word + " ");
    }

    private static String text(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.getClass().getSimpleName() : message;
    }
}
