package dev.orderly.store.postgres;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.NewJob;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.postgres.job.PostgresPushes;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.ScheduleRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The schedules port. A change of a schedule locks its row until the commit. */
final class PostgresSchedules implements ScheduleStore {
    private final Transactions transactions;
    private final DatabaseJobIds ids;
    private final PostgresPushes push;

    PostgresSchedules(Transactions transactions, DatabaseJobIds ids, PostgresPushes push) {
        this.transactions = transactions;
        this.ids = ids;
        this.push = push;
    }

    @Override
    public ScheduleState declare(ScheduleName name, Declared<String> timing, Instant now) {
        return transactions.run(connection -> {
            ScheduleState before = lock(connection, name);
            while (before == null) { // again if it is forgotten in between
                insert(connection, ScheduleState.first(name, timing.value(), now));
                before = lock(connection, name);
            }
            NodeId declarer = new Sql(connection,
                    "SELECT declarer FROM schedule WHERE name = ? AND declarer IS NOT NULL").with(name.value())
                    .first(row -> new NodeId(row.getString(1)));
            boolean replaces = timing.replaces(declarer, livingNodes(connection)::contains);
            ScheduleState after = before.declared(timing.value(), replaces, now);
            if (!after.equals(before)) {
                write(connection, after);
            }
            if (replaces && !timing.node().equals(declarer)) {
                new Sql(connection, "UPDATE schedule SET declarer = ? WHERE name = ?").with(timing.node().value())
                        .with(name.value()).update();
            }
            return after;
        });
    }

    private static void insert(Connection connection, ScheduleState first) throws SQLException {
        new Sql(connection, """
                INSERT INTO schedule(name, timing, version, reached) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING""")
                .with(first.name().value()).with(first.timing()).with(first.version())
                .with(first.reached().toEpochMilli()).update();
    }

    private static Set<NodeId> livingNodes(Connection connection) throws SQLException {
        return Set.copyOf(new Sql(connection, "SELECT name FROM node WHERE NOT dead")
                .list(row -> new NodeId(row.getString(1))));
    }

    @Override
    public void withdraw(NodeId node) {
        transactions.run(connection -> new Sql(connection, "UPDATE schedule SET declarer = NULL WHERE declarer = ?")
                .with(node.value()).update());
    }

    @Override
    public void withdraw(NodeId node, ScheduleName name) {
        transactions.run(connection -> new Sql(connection,
                "UPDATE schedule SET declarer = NULL WHERE declarer = ? AND name = ?").with(node.value())
                .with(name.value()).update());
    }

    @Override
    public List<ScheduleName> undeclared() {
        return transactions.run(connection -> new Sql(connection,
                "SELECT name FROM schedule WHERE NOT job_node_lives(declarer) ORDER BY name")
                .list(row -> new ScheduleName(row.getString(1))));
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        NewJob job = step.job();
        List<NewJob> jobs = job == null ? List.of() : List.of(job);
        PostgresPushes.PushCall call = new PostgresPushes.PushCall(jobs, now);
        return transactions.run(connection -> {
            Map<QueueName, Integer> queues = push.queues(connection, jobs);
            ScheduleState before = lock(connection, seen.name());
            if (before == null || !before.allows(seen, step)) {
                return Optional.<ScheduleState>empty();
            }
            JobId pushed = jobs.isEmpty() ? null : push.write(connection, queues, call).getFirst().id();
            ScheduleState after = before.after(step, pushed, now);
            write(connection, after);
            return Optional.of(after);
        });
    }

    @Override
    public ForgetScheduleResult forget(ScheduleName name) {
        return transactions.run(connection -> {
            if (lock(connection, name) == null) {
                return new ForgetScheduleResult.Unknown(name);
            }
            NodeId declarer = new Sql(connection,
                    "SELECT declarer FROM schedule WHERE name = ? AND job_node_lives(declarer)").with(name.value())
                    .first(row -> new NodeId(row.getString(1)));
            if (declarer != null) {
                return new ForgetScheduleResult.StillDeclared(name, declarer);
            }
            new Sql(connection, "DELETE FROM schedule WHERE name = ?").with(name.value()).update();
            return new ForgetScheduleResult.Forgotten(name);
        });
    }

    @Override
    public List<ScheduleState> states() {
        return transactions.run(connection -> new Sql(connection, ScheduleRow.SELECT + " ORDER BY name")
                .list(row -> ScheduleRow.state(row, ids)));
    }

    private @Nullable ScheduleState lock(Connection connection, ScheduleName name) throws SQLException {
        return new Sql(connection, ScheduleRow.SELECT + " WHERE name = ? FOR UPDATE").with(name.value())
                .first(row -> ScheduleRow.state(row, ids));
    }

    private static void write(Connection connection, ScheduleState state) throws SQLException {
        new Sql(connection,
                """
                        UPDATE schedule SET timing = ?, version = ?, reached = ?, fired = nullif(?, -1),
                          skipped = nullif(?, -1), job = nullif(?, -1), history = ? WHERE name = ?""")
                .with(state.timing()).with(state.version()).with(state.reached().toEpochMilli())
                .with(millis(state.fired())).with(millis(state.skipped()))
                .with(state.job() == null ? -1L : state.job().sequence()).with(state.history().write())
                .with(state.name().value()).update();
    }

    private static long millis(@Nullable Instant moment) {
        return moment == null ? -1 : moment.toEpochMilli();
    }
}
