package dev.orderly.store.postgres.job;

import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.DeclaredLimits.Changes;
import dev.orderly.job.store.DeclaredLimits.Stored;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.Rest;
import dev.orderly.job.store.StartWindow;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.KeySettingColumns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits over all nodes: their declarations and views. The functions of claims count. */
public final class PostgresLimits {
    private static final String SETTINGS = KeySettingColumns.NAMES.replaceAll("(\\w+)", "key_setting.$1");

    private final LongSupplier given;

    /** @param given the moment in place of the server's, in tests; -1 for the server's */
    PostgresLimits(LongSupplier given) {
        this.given = given;
    }

    /** Stores declarations, as far as they replace the stored ones; returns the number of changes. */
    int declare(Connection connection, DeclaredLimits declared) throws SQLException {
        Set<NodeId> alive = new HashSet<>(
                new Sql(connection, "SELECT name FROM node WHERE NOT dead").list(row -> new NodeId(row.getString(1))));
        Map<LimitName, Stored<Limit>> limits = limits(connection, declared.limits().keySet());
        Map<QueueName, Stored<Optional<LimitName>>> uses = uses(connection, OF_QUEUE, declared.queues().keySet());
        Map<QueueName, Stored<Optional<LimitName>>> ofKeys = uses(connection, OF_KEYS, declared.keys().keySet());
        Changes changes = declared.replacing(limits::get, uses::get, ofKeys::get, alive::contains);
        if (!changes.isEmpty()) {
            Set<LimitName> left = new HashSet<>();
            changes.queues().keySet().forEach(name -> Optional.ofNullable(uses.get(name)).flatMap(Stored::value)
                    .ifPresent(left::add));
            write(connection, changes, left);
        }
        return changes.limits().size() + changes.queues().size() + changes.keys().size();
    }

    /**
     * Locks the limits in the order of their names, then writes.
     *
     * @param left limits that queues had until now
     */
    private static void write(Connection connection, Changes changes, Set<LimitName> left) throws SQLException {
        for (Map.Entry<LimitName, Declared<Limit>> each : changes.limits().entrySet()) {
            put(connection, each.getKey(), each.getValue());
        }
        SortedSet<String> touched = new TreeSet<>();
        changes.limits().keySet().forEach(name -> touched.add(name.value()));
        left.forEach(name -> touched.add(name.value()));
        Stream.of(changes.queues(), changes.keys()).flatMap(uses -> uses.values().stream())
                .forEach(each -> each.value().ifPresent(name -> touched.add(name.value())));
        Map<String, Integer> ids = new HashMap<>();
        new Sql(connection, "SELECT id, name FROM flow_limit WHERE name = ANY(?) ORDER BY name FOR NO KEY UPDATE")
                .texts(touched).each(row -> ids.put(row.getString("name"), row.getInt("id")));
        use(connection, OF_QUEUE, changes.queues(), ids);
        use(connection, OF_KEYS, changes.keys(), ids);
        for (int id : ids.values()) {
            hold(connection, id);
        }
        lookAtKeys(connection, ids.values(), changes.keys().keySet());
    }

    /** Lets the next claims look at the keys and groups that rest or are full by bounds that have changed. */
    private static void lookAtKeys(Connection connection, Collection<Integer> limits, Set<QueueName> queues)
            throws SQLException {
        new Sql(connection,
                """
                        UPDATE flow_key SET ready_at = 0 FROM queue WHERE flow_key.queue = queue.id AND flow_key.state >= KEY_RESTING
                          AND (queue.key_limit = ANY(?) OR queue.name = ANY(?))""")
                .ints(List.copyOf(limits)).texts(queues.stream().map(QueueName::value).toList()).update();
        new Sql(connection,
                """
                        UPDATE lane SET state = LANE_READY, ready_at = 0, turn = nextval('lane_turn') WHERE lane.ctid = ANY(ARRAY(
                          SELECT rests.ctid FROM queue JOIN lane AS rests ON rests.queue = queue.id AND rests.state = LANE_DELAYED
                          WHERE (queue.key_limit = ANY(?) OR queue.name = ANY(?)) AND (SELECT job.state FROM job
                            WHERE job.queue = rests.queue AND job.grp = rests.name AND job.state <= RUNNING
                            ORDER BY job.seq + 0 LIMIT 1) = WAITING
                          FOR UPDATE OF rests SKIP LOCKED))""")
                .ints(List.copyOf(limits)).texts(queues.stream().map(QueueName::value).toList()).update();
    }

    /** The columns of {@code queue} with the limit of a queue, or with that of each of its keys. */
    private record Use(String limit, String declarer) {}

    private static final Use OF_QUEUE = new Use("flow_limit", "limit_declarer");
    private static final Use OF_KEYS = new Use("key_limit", "key_declarer");

    private static void use(Connection connection, Use use, Map<QueueName, Declared<Optional<LimitName>>> changes,
            Map<String, Integer> ids) throws SQLException {
        for (Map.Entry<QueueName, Declared<Optional<LimitName>>> each : changes.entrySet()) {
            Declared<Optional<LimitName>> declared = each.getValue();
            if (declared.value().isPresent()) {
                new Sql(connection, "INSERT INTO queue(name) VALUES(?) ON CONFLICT DO NOTHING")
                        .with(each.getKey().value()).update();
            }
            new Sql(connection, """
                    UPDATE queue SET %s = ?, %s = ?, forgotten = forgotten AND ? = 0
                    WHERE name = ?""".formatted(use.limit, use.declarer))
                    .with(declared.value().map(name -> ids.get(name.value())).orElse(null))
                    .with(declared.node().value()).with(declared.value().isPresent() ? 1 : 0)
                    .with(each.getKey().value()).update();
        }
    }

    /** Adds a limit or changes its bounds; what was taken counts on. */
    private static void put(Connection connection, LimitName name, Declared<Limit> declared) throws SQLException {
        Limit limit = declared.value();
        new Sql(connection, """
                INSERT INTO flow_limit(name, concurrency, starts, period, width, span, share, declarer)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET concurrency = excluded.concurrency,
                  starts = excluded.starts, period = excluded.period, width = excluded.width, span = excluded.span,
                  share = excluded.share,
                  declarer = excluded.declarer""").with(name.value()).with(limit.concurrency()).with(limit.starts())
                .with(limit.period().toMillis()).with(StartWindow.width(limit)).with(StartWindow.span(limit))
                .with(limit.share()).with(declared.node().value()).update();
    }

    private static Map<LimitName, Stored<Limit>> limits(Connection connection, Set<LimitName> names)
            throws SQLException {
        Map<LimitName, Stored<Limit>> found = new HashMap<>();
        if (!names.isEmpty()) {
            new Sql(connection, "SELECT * FROM flow_limit WHERE name = ANY(?)")
                    .texts(names.stream().map(LimitName::value).toList())
                    .each(row -> found.put(new LimitName(row.getString("name")),
                            new Stored<>(limit(row), node(row.getString("declarer")))));
        }
        return found;
    }

    /**
     * Makes all running jobs of the queues of a limit hold a slot: those that were claimed before it was their limit
     * hold none yet. The caller has locked the limit.
     */
    private static int hold(Connection connection, int limit) throws SQLException {
        return new Sql(connection, """
                UPDATE flow_limit SET held = ARRAY(SELECT job.seq FROM job JOIN queue ON queue.id = job.queue
                  WHERE queue.flow_limit = flow_limit.id AND job.state = RUNNING AND flow_limit.concurrency > 0)
                WHERE id = ?""").with(limit).update();
    }

    private static Map<QueueName, Stored<Optional<LimitName>>> uses(Connection connection, Use use,
            Set<QueueName> names) throws SQLException {
        Map<QueueName, Stored<Optional<LimitName>>> found = new HashMap<>();
        new Sql(connection, """
                SELECT queue.name, queue.%2$s AS declarer, flow_limit.name AS limit_name
                FROM queue LEFT JOIN flow_limit ON flow_limit.id = queue.%1$s
                WHERE queue.name = ANY(?) AND (queue.%2$s IS NOT NULL OR queue.%1$s IS NOT NULL)"""
                .formatted(use.limit, use.declarer))
                .texts(names.stream().map(QueueName::value).toList())
                .each(row -> found.put(new QueueName(row.getString("name")), new Stored<>(
                        Optional.ofNullable(row.getString("limit_name")).map(LimitName::new),
                        node(row.getString("declarer")))));
        return found;
    }

    /** The limits that some queue has, by name. */
    List<LimitView> views(Connection connection) throws SQLException {
        List<LimitView> views = new ArrayList<>();
        new Sql(connection,
                """
                        SELECT flow_limit.*, flow_rest.until AS rest, flow_rest.job AS rest_job, flow_rest.attempt AS rest_attempt,
                          moment_now(nullif(?, -1)) AS now, (SELECT array_agg(queue.name::text) FROM queue
                            WHERE flow_limit.id IN (queue.flow_limit, queue.key_limit)) AS queues,
                          (SELECT count(*) FROM job WHERE job.seq = ANY(flow_limit.held) AND job.state + 0 = RUNNING) AS running
                        FROM flow_limit LEFT JOIN flow_rest ON flow_rest.limit_id = flow_limit.id AND flow_rest.queue = 0
                        WHERE EXISTS(SELECT FROM queue
                          WHERE flow_limit.id IN (queue.flow_limit, queue.key_limit))
                        ORDER BY flow_limit.name""")
                .with(given.getAsLong()).each(row -> {
                    TreeSet<QueueName> queues = new TreeSet<>();
                    Sql.array(row, "queues", String[].class).forEach(name -> queues.add(new QueueName(name)));
                    views.add(LimitView.of(new LimitName(row.getString("name")), limit(row), queues,
                            row.getInt("running"),
                            window(row), rest(row), row.getLong("now")));
                });
        return views;
    }

    /** Forgets keys without jobs, and rests that are over, at most so many. */
    int forgetKeys(Connection connection, int most) throws SQLException {
        return (int) new Sql(connection, "SELECT key_forget(nullif(?, -1), ?)").with(given.getAsLong()).with(most)
                .number();
    }

    /** As {@link dev.orderly.job.store.JobViews#keys}. */
    List<KeyView> keys(Connection connection, QueueName queue, @Nullable String key, int most) throws SQLException {
        if (queue.isFifo()) {
            return groups(connection, queue, key, most);
        }
        List<KeyView> views = new ArrayList<>();
        new Sql(connection,
                """
                        SELECT known.*, %s, flow_limit.concurrency, flow_limit.starts, flow_limit.period, flow_limit.share, moment_now(nullif(?, -1)) AS now,
                          flow_rest.until AS rest, flow_rest.job AS rest_job, flow_rest.attempt AS rest_attempt,
                          (SELECT count(*) FROM job WHERE job.seq = ANY(known.held) AND job.state + 0 = RUNNING) AS running,
                          (SELECT min(first.seq) FROM generate_series(5, 8) AS class(number) CROSS JOIN LATERAL (
                            SELECT job.seq FROM job WHERE job.queue = known.queue AND job.flow_key = known.key
                              AND job.flow_key IS NOT NULL AND job.state = WAITING AND job.priority = class.number
                            ORDER BY job.seq + 0 LIMIT 1) AS first) AS oldest
                        FROM queue CROSS JOIN LATERAL (
                          (SELECT flow_key.queue, flow_key.key, flow_key.held, flow_key.ends, flow_key.tokens FROM flow_key
                            WHERE flow_key.queue = queue.id AND (?::text IS NULL OR flow_key.key = ?) LIMIT 1000)
                          UNION ALL
                          (SELECT DISTINCT flow_wake.queue, flow_wake.key, '{}'::bigint[], '{}'::bigint[], '{}'::int[]
                            FROM flow_wake WHERE flow_wake.queue = queue.id AND (?::text IS NULL OR flow_wake.key = ?)
                              AND NOT EXISTS(SELECT FROM flow_key WHERE flow_key.queue = flow_wake.queue
                                AND flow_key.key = flow_wake.key) LIMIT 1000)
                          UNION
                          (SELECT set.queue, set.name, '{}'::bigint[], '{}'::bigint[], '{}'::int[]
                            FROM key_setting AS set WHERE set.queue = queue.id AND (?::text IS NULL OR set.name = ?)
                              AND NOT EXISTS(SELECT FROM flow_key WHERE flow_key.queue = set.queue
                                AND flow_key.key = set.name) LIMIT 1000)) AS known
                          LEFT JOIN key_setting ON key_setting.queue = known.queue AND key_setting.name = known.key
                          LEFT JOIN flow_limit ON flow_limit.id = queue.key_limit
                          LEFT JOIN flow_rest ON flow_rest.limit_id = 0 AND flow_rest.queue = known.queue
                            AND flow_rest.key = known.key
                        WHERE queue.name = ?"""
                        .formatted(SETTINGS))
                .with(given.getAsLong()).with(key).with(key).with(key).with(key).with(key).with(key)
                .with(queue.value()).each(row -> {
                    Limit limit = row.getObject("concurrency") == null ? null : limit(row);
                    long oldest = row.getLong("oldest");
                    KeySettings settings = KeySettingColumns.read(row);
                    views.add(KeyView.of(row.getString("key"), limit, settings, row.getInt("running"),
                            window(row), rest(row), row.getLong("now"))
                            .waitingSince(oldest == 0 ? null : JobSequence.timeOf(oldest)));
                });
        return views.stream().filter(KeyView::isInUse).sorted(KeyView.BY_WAIT).limit(most).toList();
    }

    private List<KeyView> groups(Connection connection, QueueName queue, @Nullable String group, int most)
            throws SQLException {
        return new Sql(connection,
                """
                        SELECT known.name, %s, flow_limit.concurrency, flow_limit.starts, flow_limit.period, flow_limit.share,
                          coalesce(flow_key.ends, '{}') AS ends, coalesce(flow_key.tokens, '{}') AS tokens,
                          moment_now(nullif(?, -1)) AS now,
                          (SELECT count(*) FROM job WHERE job.queue = queue.id AND job.grp = known.name
                            AND job.state - RUNNING = 0) AS running,
                          coalesce((SELECT job.seq FROM job WHERE job.queue = queue.id AND job.grp = known.name
                            AND job.state <= RUNNING AND job.state + 0 = WAITING ORDER BY job.seq + 0 LIMIT 1), 0) AS oldest
                        FROM queue CROSS JOIN LATERAL (
                            (SELECT set.name FROM key_setting AS set WHERE set.queue = queue.id
                              AND (?::text IS NULL OR set.name = ?) LIMIT 10000)
                            UNION
                            (SELECT taken.key FROM flow_key AS taken WHERE taken.queue = queue.id
                              AND (?::text IS NULL OR taken.key = ?) LIMIT 1000)) AS known(name)
                          LEFT JOIN key_setting ON key_setting.queue = queue.id AND key_setting.name = known.name
                          LEFT JOIN flow_key ON flow_key.queue = queue.id AND flow_key.key = known.name
                          LEFT JOIN flow_limit ON flow_limit.id = queue.key_limit
                        WHERE queue.name = ?"""
                        .formatted(SETTINGS))
                .with(given.getAsLong()).with(group).with(group).with(group).with(group).with(queue.value())
                .list(row -> {
                    long oldest = row.getLong("oldest");
                    return KeyView.of(row.getString("name"), row.getObject("concurrency") == null ? null : limit(row),
                            KeySettingColumns.read(row), row.getInt("running"), window(row), null, row.getLong("now"))
                            .waitingSince(oldest == 0 ? null : JobSequence.timeOf(oldest));
                }).stream().filter(KeyView::isInUse).sorted(KeyView.BY_WAIT).limit(most).toList();
    }

    private static @Nullable Rest rest(ResultSet row) throws SQLException {
        String job = row.getString("rest_job");
        return job == null
                ? null
                : new Rest(Instant.ofEpochMilli(row.getLong("rest")), JobId.parse(job), row.getInt("rest_attempt"));
    }

    private static StartWindow window(ResultSet row) throws SQLException {
        List<Long> ends = Sql.array(row, "ends", Long[].class);
        List<Integer> tokens = Sql.array(row, "tokens", Integer[].class);
        return new StartWindow(IntStream.range(0, ends.size())
                .mapToObj(n -> new StartWindow.Slot(ends.get(n), tokens.get(n))).toList());
    }

    private static Limit limit(ResultSet row) throws SQLException {
        return new Limit(row.getInt("concurrency"), row.getInt("starts"), Duration.ofMillis(row.getLong("period")),
                row.getInt("share"));
    }

    private static @Nullable NodeId node(@Nullable String name) {
        return name == null ? null : new NodeId(name);
    }
}
