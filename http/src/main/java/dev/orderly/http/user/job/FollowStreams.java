package dev.orderly.http.user.job;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Quota;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication.Known;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event streams of things of one kind. One loop reads things that changed on this node soon, each at most once per
 * pause, and all others once per round, which shows changes of other nodes. A thing is read once, however many streams
 * follow it. Thread-safe.
 *
 * @param <K> what identifies a thing
 */
final class FollowStreams<K> {
    private static final Logger LOG = LoggerFactory.getLogger(FollowStreams.class);
    private static final byte[] RETRY = "retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII);
    /** The bound on what streams cost the store: reads in one step, and the pause after a full step. */
    private static final int READS = 200;
    private static final Duration BUSY = Duration.ofMillis(50);
    private static final Duration CALM = Duration.ofMillis(500);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration STORE_AWAY = Duration.ofSeconds(2);

    private final Kind<K> kind;
    private final Time time;
    private final Quota<UserId> open;
    private final BackgroundLoop loop;
    private final ConcurrentMap<K, Followed<K>> followed = new ConcurrentHashMap<>();
    private final Set<K> changed = ConcurrentHashMap.newKeySet();
    private final Queue<Followed<K>> arrived = new ConcurrentLinkedQueue<>();
    /** Used by the loop only: all things, in the order of their next read. */
    private final ArrayDeque<Followed<K>> round = new ArrayDeque<>();

    /**
     * A kind of things.
     *
     * @param event the name of the events, such as {@code job}
     * @param pause between two reads of a thing at least
     * @param round between two reads of a thing that does not change here
     * @param read the thing now; empty if it is not kept any more; blocks on the store
     */
    record Kind<K>(String event, Duration pause, Duration round, Function<K, Optional<Reading>> read) {}

    /**
     * A thing as its followers get it.
     *
     * @param end whether it changes no more
     */
    record Reading(String json, boolean end) {}

    /** A thing and the streams that follow it; the times are used by the loop only. */
    private static final class Followed<K> {
        final K id;
        final List<StreamFollower> readers = new CopyOnWriteArrayList<>();
        long readable;
        long due;

        Followed(K id, long now) {
            this.id = id;
            this.readable = now;
            this.due = now;
        }
    }

    /** @param open the streams that are open, also those of other kinds; further streams are answered 429 */
    FollowStreams(Kind<K> kind, Time time, Quota<UserId> open) {
        this.kind = kind;
        this.time = time;
        this.open = open;
        this.loop = new BackgroundLoop(kind.event + "-streams", time, this::step);
    }

    /** Called once. */
    void start() {
        loop.start();
    }

    /** Stops sending; the streams themselves end with the listener. Idempotent. */
    void close() {
        loop.stop(kind.round);
    }

    /** A stream that starts with a thing as it is; refused with 429 if too many are open. */
    Match open(K id, Reading now, Known known) {
        return new Match.Opened(List.of(), stream -> {
            enter(known.user(), stream);
            StreamFollower reader = new StreamFollower(kind.event, known, stream, time);
            stream.write(RETRY);
            reader.send(now.json, now.end);
            if (!now.end) {
                follow(id, reader);
            }
        });
    }

    private void enter(UserId user, EventStream stream) {
        if (open.take(user) != Quota.Taken.TAKEN) {
            throw new ProblemException(new Problem(ProblemType.TOO_MANY_STREAMS, "At most " + open.limit().each()
                    + " event streams of a user and " + open.limit().total() + " in all may be open: close one, or ask"
                    + " for JSON now and then").withHeader(Problems.RETRY_AFTER, "5"));
        }
        stream.onClose(() -> open.give(user));
    }

    private void follow(K id, StreamFollower reader) {
        followed.compute(id, (_, before) -> {
            Followed<K> thing = before == null ? new Followed<>(id, time.nanos()) : before;
            thing.readers.add(reader);
            if (before == null) {
                arrived.add(thing);
            }
            return thing;
        });
        reader.stream().onClose(() -> leave(id, reader));
        changed(id); // covers changes since the read
    }

    private void leave(K id, StreamFollower reader) {
        followed.computeIfPresent(id, (_, thing) -> {
            thing.readers.remove(reader);
            return thing.readers.isEmpty() ? null : thing;
        });
    }

    /** Notes that a thing has changed on this node. Never blocks. */
    void changed(K id) {
        if (followed.containsKey(id) && changed.add(id)) {
            loop.ring();
        }
    }

    private Duration step() {
        for (Followed<K> thing = arrived.poll(); thing != null; thing = arrived.poll()) {
            round.addFirst(thing);
        }
        try {
            int left = readChanged(READS);
            left = readRound(left);
            boolean busy = left == 0 || !changed.isEmpty();
            return busy ? BUSY : round.isEmpty() ? IDLE : CALM;
        } catch (StoreException e) {
            LOG.warn("Event streams of kind {} wait for the store: {}", kind.event, e.getMessage());
            return STORE_AWAY;
        }
    }

    private int readChanged(int most) {
        int left = most;
        for (Iterator<K> ids = changed.iterator(); ids.hasNext() && left > 0;) {
            Followed<K> thing = followed.get(ids.next());
            if (thing == null) {
                ids.remove();
            } else if (time.reached(thing.readable)) {
                ids.remove(); // before the read, so that no later change is lost
                read(thing);
                left--;
            }
        }
        return left;
    }

    private int readRound(int most) {
        int left = most;
        for (Followed<K> thing = round.peekFirst(); thing != null && left > 0; thing = round.peekFirst()) {
            if (followed.get(thing.id) != thing) {
                round.removeFirst();
            } else if (time.reached(thing.due)) {
                round.removeFirst();
                thing.due = time.deadline(kind.round);
                round.addLast(thing);
                read(thing);
                left--;
            } else {
                break;
            }
        }
        return left;
    }

    private void read(Followed<K> thing) {
        thing.readable = time.deadline(kind.pause);
        Optional<Reading> found = kind.read.apply(thing.id);
        if (found.isEmpty()) {
            thing.readers.forEach(reader -> reader.stream().close());
            return;
        }
        thing.readers.forEach(reader -> reader.send(found.get().json, found.get().end));
    }
}
