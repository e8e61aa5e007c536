package dev.orderly.store.sqlite.view;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.limit.KeyTurns;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueCounts;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.StandardQueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.RowCounter;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The views, on read-only connections, without requests to the writer. */
public final class SqliteJobViews implements JobViews {
    private static final int PAGE_MAX = 1_000;

    private static final int KEYS_LOOKED_AT = 1_000;
    private final WriterState state;
    private final RequestQueue requests;
    private final ReaderPool readers;
    private final RowCounter counter;
    private final JobViewRows rows;
    private final JobPageQueries pages;
    private final QueuePositions positions;
    private final MemberPages members;

    public SqliteJobViews(WriterState state, RequestQueue requests, ReaderPool readers, RowCounter counter) {
        this.state = state;
        this.requests = requests;
        this.readers = readers;
        this.counter = counter;
        rows = new JobViewRows(state);
        pages = new JobPageQueries(state);
        positions = new QueuePositions(state);
        members = new MemberPages(state, rows);
    }

    @Override
    public Optional<JobView> find(JobId id) {
        if (!state.ids.isOwn(id)) {
            return Optional.empty();
        }
        long seq = id.sequence();
        LockedJob locked = state.running.find(seq);
        return readers.read(connection -> {
            JobView live = rows.live(connection, seq, locked);
            return Optional.ofNullable(live != null ? live : rows.ended(connection, seq));
        });
    }

    @Override
    public List<JobView> list(QueueName queue, JobState jobState, @Nullable JobId after, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " jobs: ask for 1 to " + PAGE_MAX);
        }
        QueueIndex index = state.queues.find(queue);
        if (index == null) {
            return List.of();
        }
        return readers.read(connection -> switch (jobState) {
            case DONE, CANCELLED -> rows.ended(connection, index.identity().id, jobState,
                    after == null ? Long.MAX_VALUE : after.sequence(), limit);
            default -> live(connection, index, jobState, after == null ? 0 : after.sequence(), limit);
        });
    }

    private List<JobView> live(Connection connection, QueueIndex index, JobState jobState, long after, int limit)
            throws SQLException {
        List<JobView> page = new ArrayList<>();
        for (long seq : pages.page(connection, index, jobState, after, limit)) {
            JobView view = rows.live(connection, seq, state.running.find(seq));
            if (view != null && view.state() == jobState) {
                page.add(view);
            }
        }
        return page;
    }

    /** {@link dev.orderly.job.store.BatchStore#members}. */
    public List<JobView> members(long batch, JobState jobState, @Nullable JobId after, int limit) {
        return readers.read(connection -> members.read(connection,
                new MemberPages.Page(batch, jobState, after == null ? 0 : after.sequence(), limit)));
    }

    @Override
    public List<JobAttempt> attempts(JobId id) {
        return state.ids.isOwn(id)
                ? readers.read(connection -> rows.attempts(connection, id.sequence()))
                : List.of();
    }

    @Override
    public List<JobEvent> events(JobId id) {
        return state.ids.isOwn(id) ? readers.read(connection -> rows.events(connection, id.sequence())) : List.of();
    }

    @Override
    public List<JobStep> steps(JobId id) {
        return state.ids.isOwn(id) ? readers.read(connection -> rows.steps(connection, id.sequence())) : List.of();
    }

    @Override
    public int ahead(JobId id, int limit) {
        if (limit < 1 || limit > AHEAD_MAX) {
            throw new IllegalArgumentException("A count up to " + limit + ": ask for 1 to " + AHEAD_MAX);
        }
        return state.ids.isOwn(id) && !state.running.has(id.sequence())
                ? readers.read(connection -> positions.ahead(connection, id.sequence(), limit))
                : 0;
    }

    @Override
    public Optional<JobId> blocker(JobId id) {
        return state.ids.isOwn(id) && !state.running.has(id.sequence())
                ? readers.read(connection -> positions.blocker(connection, id.sequence())).map(state.ids::of)
                : Optional.empty();
    }

    @Override
    public Set<NodeId> workers(QueueName queue) {
        return state.nodes.workers(queue);
    }

    @Override
    public List<LimitView> limits() {
        return state.limits.views(state::running, state.leaseNow());
    }

    @Override
    public List<KeyCounts> keyCounts() {
        return requests.ask(WriteRequest.inMemory(1, writer -> writer.queues.all().stream()
                .map(QueueIndex::keyCounts).filter(each -> !each.isEmpty())
                .sorted(Comparator.comparing(KeyCounts::queue)).toList()));
    }

    private List<KeyView> groups(QueueName queue, @Nullable String group, int limit) {
        List<KeyView> found = requests.ask(WriteRequest.inMemory(1, writer -> {
            FifoQueueIndex index = (FifoQueueIndex) writer.queues.of(queue);
            Set<String> known = index.identity().settings.keySet();
            return (group != null
                    ? Stream.of(group)
                    : Stream.concat(known.stream(), index.rates().names().stream().limit(KEYS_LOOKED_AT)).distinct())
                    .map(name -> KeyView.of(name, index.rates().limit(), index.identity().settings(name),
                            index.running(name), index.window(name), null, writer.leaseNow()))
                    .toList();
        }));
        return readers.read(connection -> {
            SqliteGroupSeeks seeks = new SqliteGroupSeeks(state, connection,
                    Objects.requireNonNull(state.queues.find(queue)));
            List<KeyView> views = new ArrayList<>();
            for (KeyView view : found) {
                views.add(view.waitingSince(moment(seeks.oldestWaiting(view.key()))));
            }
            return views.stream().filter(KeyView::isInUse).sorted(KeyView.BY_WAIT).limit(limit).toList();
        });
    }

    /** The moment of the push of a job; null for number zero. */
    private @Nullable Instant moment(long seq) {
        return seq == 0 ? null : state.time.clockTime(state.ids.of(seq).pushedAt());
    }

    @Override
    public List<KeyView> keys(QueueName queue, @Nullable String key, int limit) {
        QueueIndex index = state.queues.find(queue);
        if (index == null) {
            return List.of();
        }
        if (index instanceof FifoQueueIndex) {
            return groups(queue, key, limit);
        }
        List<KeyView> found = requests.ask(WriteRequest.inMemory(1, writer -> {
            KeyTurns turns = ((StandardQueueIndex) writer.queues.of(queue)).keyed.turns;
            return (key == null ? turns.names() : List.of(key)).stream().limit(KEYS_LOOKED_AT)
                    .flatMap(name -> Stream.ofNullable(turns.view(name, writer.leaseNow()))).toList();
        }));
        int id = index.identity().id;
        return readers.read(connection -> {
            Map<String, Long> oldest = pages.oldestOfKeys(connection, id, found.stream().map(KeyView::key).toList());
            return found.stream().map(view -> view.waitingSince(moment(oldest.getOrDefault(view.key(), 0L))))
                    .sorted(KeyView.BY_WAIT).limit(limit).toList();
        });
    }

    @Override
    public Map<String, Integer> pending(QueueName queue, Set<String> keys, int limit) {
        QueueIndex index = state.queues.find(queue);
        if (index == null) {
            return Map.of();
        }
        return readers.read(connection -> {
            Map<String, Integer> pending = new HashMap<>();
            SqliteGroupSeeks groups = queue.isFifo() ? new SqliteGroupSeeks(state, connection, index) : null;
            for (String key : keys) {
                int jobs = groups != null
                        ? groups.pending(key, limit)
                        : positions.pending(connection, index, key, limit);
                if (jobs > 0) {
                    pending.put(key, jobs);
                }
            }
            return pending;
        });
    }

    @Override
    public List<QueueView> queues() {
        counter.await();
        List<QueueIndex> queues = state.queues.all().stream()
                .filter(index -> !index.identity().forgotten || index.counts().holdsJobs())
                .sorted(Comparator.comparing(QueueIndex::name)).toList();
        return readers.read(connection -> {
            List<QueueView> views = new ArrayList<>();
            Map<QueueIndex, Long> leased = state.running.all().stream().filter(locked -> locked.lease != null)
                    .collect(Collectors.groupingBy(locked -> locked.index, Collectors.counting()));
            for (QueueIndex index : queues) {
                views.add(view(connection, index, leased.getOrDefault(index, 0L)));
            }
            return views;
        });
    }

    private QueueView view(Connection connection, QueueIndex index, long leased) throws SQLException {
        QueueCounts counts = index.counts();
        boolean fifo = index instanceof FifoQueueIndex;
        // Delayed jobs that are due count as waiting. On a FIFO queue, first jobs that wait for their due moment count
        // as delayed.
        long shift = fifo ? -pages.held(connection, index) : pages.due(connection, index);
        long waiting = counts.waiting.get() + shift - counts.running.get();
        long oldest = waiting > 0 ? pages.oldest(connection, index) : 0;
        Instant oldestPushedAt = oldest == 0 ? null : state.time.clockTime(state.ids.of(oldest).pushedAt());
        return new QueueSnapshot(index.name(), index.identity().paused, Math.max(0, waiting),
                Math.max(0, counts.delayed.get() - shift), counts.running.get(), leased, counts.dead.get(),
                counts.ended.get(),
                index.halts(), oldestPushedAt);
    }
}
