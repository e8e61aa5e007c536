package dev.orderly.http.user.job;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Quota;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.engine.JobClient;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event streams of jobs. One loop reads jobs that changed on this node soon, each at most once per {@link #PAUSE},
 * and all other followed jobs once per {@link #ROUND}, which shows changes of other nodes and of positions. A job is
 * read once, however many streams follow it.
 *
 * <p>Thread-safe; {@link #start} it before the edge, close it after.
 */
public final class UserJobStreams implements AutoCloseable {
    static final Duration PAUSE = Duration.ofMillis(200);
    static final Duration ROUND = Duration.ofSeconds(2);
    static final String END = "end";

    /** 10,000 in all, 20 of a user. */
    public static final Quota.Limit LIMIT = new Quota.Limit(10_000, 20);

    private static final Logger LOG = LoggerFactory.getLogger(UserJobStreams.class);
    private static final byte[] RETRY = "retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII);
    /** The bound on what streams cost the store: reads in one step, and the pause after a full step. */
    private static final int READS = 200;
    private static final Duration BUSY = Duration.ofMillis(50);
    private static final Duration CALM = Duration.ofMillis(500);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration STORE_AWAY = Duration.ofSeconds(2);
    /** The content of a larger result is left out; clients get it as JSON. */
    private static final int EVENT_MAX = EventStream.BUFFER / 2;

    private final JobClient client;
    private final Time time;
    private final Quota<UserId> open;
    private final BackgroundLoop loop;
    private final ConcurrentMap<JobId, Followed> followed = new ConcurrentHashMap<>();
    private final Set<JobId> changed = ConcurrentHashMap.newKeySet();
    private final Queue<Followed> arrived = new ConcurrentLinkedQueue<>();
    /** Used by the loop only: all followed jobs, in the order of their next read. */
    private final ArrayDeque<Followed> round = new ArrayDeque<>();

    /** A job and the streams that follow it; the times are used by the loop only. */
    private static final class Followed {
        final JobId id;
        final List<UserJobFollower> readers = new CopyOnWriteArrayList<>();
        long readable;
        long due;

        Followed(JobId id, long now) {
            this.id = id;
            this.readable = now;
            this.due = now;
        }
    }

    /** @param limit of streams, in all and of one user; further streams are answered 429 */
    public UserJobStreams(JobClient client, Time time, Quota.Limit limit) {
        this.client = client;
        this.time = time;
        this.open = new Quota<>(limit);
        this.loop = new BackgroundLoop("job-streams", time, this::step);
        client.onChange(this::changed);
    }

    /** Called once. */
    public void start() {
        loop.start();
    }

    /** Stops sending; the streams themselves end with the listener. Idempotent. */
    @Override
    public void close() {
        loop.stop(ROUND);
    }

    /**
     * A stream that starts with the job's current state; refused with 429 if too many are open. Blocks on the store.
     */
    Match open(JobView job, Known known) {
        String json = json(job);
        boolean end = job.state().isEnd();
        return new Match.Opened(List.of(), stream -> {
            enter(known.user(), stream);
            UserJobFollower reader = new UserJobFollower(known, stream, time);
            stream.write(RETRY);
            reader.send(json, end);
            if (!end) {
                follow(job.id(), reader);
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

    private void follow(JobId id, UserJobFollower reader) {
        followed.compute(id, (_, before) -> {
            Followed job = before == null ? new Followed(id, time.nanos()) : before;
            job.readers.add(reader);
            if (before == null) {
                arrived.add(job);
            }
            return job;
        });
        reader.stream().onClose(() -> leave(id, reader));
        changed(id); // covers changes since the read
    }

    private void leave(JobId id, UserJobFollower reader) {
        followed.computeIfPresent(id, (_, job) -> {
            job.readers.remove(reader);
            return job.readers.isEmpty() ? null : job;
        });
    }

    private void changed(JobId id) {
        if (followed.containsKey(id) && changed.add(id)) {
            loop.ring();
        }
    }

    private Duration step() {
        for (Followed job = arrived.poll(); job != null; job = arrived.poll()) {
            round.addFirst(job);
        }
        try {
            int left = readChanged(READS);
            left = readRound(left);
            boolean busy = left == 0 || !changed.isEmpty();
            return busy ? BUSY : round.isEmpty() ? IDLE : CALM;
        } catch (StoreException e) {
            LOG.warn("Event streams of jobs wait for the store: {}", e.getMessage());
            return STORE_AWAY;
        }
    }

    private int readChanged(int most) {
        int left = most;
        for (Iterator<JobId> ids = changed.iterator(); ids.hasNext() && left > 0;) {
            Followed job = followed.get(ids.next());
            if (job == null) {
                ids.remove();
            } else if (time.reached(job.readable)) {
                ids.remove(); // before the read, so that no later change is lost
                read(job);
                left--;
            }
        }
        return left;
    }

    private int readRound(int most) {
        int left = most;
        for (Followed job = round.peekFirst(); job != null && left > 0; job = round.peekFirst()) {
            if (followed.get(job.id) != job) {
                round.removeFirst();
            } else if (time.reached(job.due)) {
                round.removeFirst();
                job.due = time.deadline(ROUND);
                round.addLast(job);
                read(job);
                left--;
            } else {
                break;
            }
        }
        return left;
    }

    private void read(Followed job) {
        job.readable = time.deadline(PAUSE);
        Optional<JobView> found = client.find(job.id);
        if (found.isEmpty()) {
            job.readers.forEach(reader -> reader.stream().close());
            return;
        }
        String json = json(found.get());
        boolean end = found.get().state().isEnd();
        job.readers.forEach(reader -> reader.send(json, end));
    }

    private String json(JobView job) {
        QueuePosition place = client.position(job).orElse(null);
        byte[] whole = UserJobJson.of(job, place, true);
        byte[] sent = whole.length <= EVENT_MAX ? whole : UserJobJson.of(job, place, false);
        return new String(sent, StandardCharsets.UTF_8);
    }
}
