package dev.orderly.http.alert;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A kind of condition. */
public enum AlertKind {
    /** Visitors of a room wait; the subject is the room. */
    ROOM_QUEUEING("room.queueing", Duration.ofSeconds(15), Duration.ofMinutes(1)),
    /** A visitor who joins now waits longer than the limit; the subject is the room. */
    ROOM_WAIT("room.wait", Duration.ofSeconds(30), Duration.ofMinutes(1)),
    /** Jobs became dead letters; the subject is the queue. An event without an end. */
    QUEUE_DEAD("queue.dead", Duration.ZERO, Duration.ZERO),
    /** The oldest waiting job is older than the limit; the subject is the queue. */
    QUEUE_AGE("queue.age", Duration.ofSeconds(15), Duration.ofMinutes(1)),
    /** The store does not answer; the subject is the store's part. */
    STORE_AWAY("store.away", Duration.ofSeconds(15), Duration.ofSeconds(15)),
    /** A certificate is near its end, or cannot be renewed; the subject is the listener. */
    CERTIFICATE("certificate", Duration.ZERO, Duration.ofMinutes(1)),
    /** An instant of a schedule has pushed no job; the subject is the schedule. */
    SCHEDULE_MISSED("schedule.missed", Duration.ofSeconds(30), Duration.ofSeconds(30)),
    /** No live node declares a schedule, so that nobody fires it; the subject is the schedule. */
    SCHEDULE_UNDECLARED("schedule.undeclared", Duration.ofMinutes(2), Duration.ofSeconds(30)),
    /** A node has left without a word; the subject is the node. */
    NODE_GONE("node.gone", Duration.ofSeconds(15), Duration.ofSeconds(10)),
    /** A test of the way to the receiver. An event without an end. */
    TEST("test", Duration.ZERO, Duration.ZERO);

    private final String wire;
    private final Duration begins;
    private final Duration ends;

    AlertKind(String wire, Duration begins, Duration ends) {
        this.wire = wire;
        this.begins = begins;
        this.ends = ends;
    }

    /** The name in configuration and in alerts. */
    public String wire() {
        return wire;
    }

    /** For how long a condition holds before it is reported. */
    Duration begins() {
        return begins;
    }

    /** For how long a reported condition is absent before its end is reported. */
    Duration ends() {
        return ends;
    }

    public static Optional<AlertKind> of(String wire) {
        return Arrays.stream(values()).filter(kind -> kind.wire.equals(wire)).findFirst();
    }
}
