package dev.orderly.store.postgres.job;

import dev.orderly.job.Limit;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.StartWindow;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.KeySettingColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What operators have set for keys and groups: table {@code key_setting}. Claims read it. */
public final class PostgresKeySettings {
    private PostgresKeySettings() {}

    /**
     * Writes the settings of a key or group, and lets the next claims look at it. The row is written before the key or
     * lane, so that a claim that leaves one as paused has committed before, or does not.
     */
    static SetResult set(Connection connection, int queue, QueueName name, String key, KeySettings expected,
            KeySettings next) throws SQLException {
        new Sql(connection, "SELECT 1 FROM queue WHERE id = ? FOR NO KEY UPDATE").with(queue).number();
        KeySettings before = of(connection, queue, key);
        if (!before.equals(expected)) {
            return SetResult.CHANGED_MEANWHILE;
        }
        if (before.isEmpty() && !next.isEmpty() && isFull(connection, queue)) {
            return SetResult.TOO_MANY;
        }
        if (next.isEmpty()) {
            new Sql(connection, "DELETE FROM key_setting WHERE queue = ? AND name = ?").with(queue).with(key).update();
        } else {
            write(connection, queue, key, next);
            new Sql(connection, "UPDATE queue SET forgotten = false WHERE id = ? AND forgotten").with(queue).update();
        }
        if (!name.isFifo()) {
            look(connection, queue, key, next.paused());
        } else if (next.paused()) {
            pause(connection, queue, key);
        } else {
            resume(connection, queue, key);
        }
        return SetResult.SET;
    }

    /**
     * Removes all settings of a queue. Its paused keys become ready: one that an open transaction holds gets a job when
     * that commits. A paused lane has a job, and then the queue is not forgotten.
     */
    static void forget(Connection connection, int queue) throws SQLException {
        new Sql(connection, "DELETE FROM key_setting WHERE queue = ?").with(queue).update();
        new Sql(connection, "UPDATE flow_key SET state = KEY_READY WHERE queue = ? AND state = KEY_PAUSED").with(queue)
                .update();
    }

    private static KeySettings of(Connection connection, int queue, String key) throws SQLException {
        KeySettings found = new Sql(connection, "SELECT * FROM key_setting WHERE queue = ? AND name = ?").with(queue)
                .with(key).first(KeySettingColumns::read);
        return found == null ? KeySettings.NONE : found;
    }

    private static boolean isFull(Connection connection, int queue) throws SQLException {
        return new Sql(connection, "SELECT count(*) FROM key_setting WHERE queue = ?").with(queue)
                .number() >= KeySettings.MOST;
    }

    /** Writes a row. */
    public static void write(Connection connection, int queue, String key, KeySettings settings) throws SQLException {
        Integer starts = settings.bounds().starts();
        Limit rate = starts == null || settings.bounds().period() == null
                ? null
                : Limit.of(starts, settings.bounds().period());
        Sql sql = new Sql(connection, """
                INSERT INTO key_setting(queue, name, own_width, own_span, %s) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (queue, name) DO UPDATE SET own_width = excluded.own_width, own_span = excluded.own_span,
                  paused = excluded.paused, own_concurrency = excluded.own_concurrency,
                  own_starts = excluded.own_starts, own_period = excluded.own_period, set_by = excluded.set_by,
                  set_at = excluded.set_at""".formatted(KeySettingColumns.NAMES)).with(queue).with(key)
                .with(rate == null ? null : StartWindow.width(rate)).with(rate == null ? null : StartWindow.span(rate));
        KeySettingColumns.values(settings).forEach(sql::with);
        sql.update();
    }

    /** Makes a key that is not idle paused or ready: the next claim finds what else keeps it. */
    private static void look(Connection connection, int queue, String key, boolean paused) throws SQLException {
        new Sql(connection, "SELECT 1 FROM flow_key WHERE queue = ? AND key = ? FOR NO KEY UPDATE").with(queue)
                .with(key).list(_ -> true);
        new Sql(connection, """
                UPDATE flow_key SET state = CASE WHEN ? THEN KEY_PAUSED ELSE KEY_READY END, look = 250,
                  turn = greatest(turn, key_present(queue) + 1)
                WHERE queue = ? AND key = ? AND state <> KEY_IDLE AND (? OR state <> KEY_READY)""").with(paused)
                .with(queue).with(key).with(paused).update();
    }

    /** Leaves a ready lane as paused, unless it is locked: then a claim does. */
    private static void pause(Connection connection, int queue, String group) throws SQLException {
        new Sql(connection, """
                UPDATE lane SET state = LANE_PAUSED WHERE ctid = ANY(ARRAY(
                  SELECT ctid FROM lane WHERE queue = ? AND name = ? AND state = LANE_READY FOR UPDATE SKIP LOCKED))""")
                .with(queue).with(group).update();
    }

    private static void resume(Connection connection, int queue, String group) throws SQLException {
        Lanes.lock(connection, List.of(new Lane(queue, group)), LockPatience.BRIEF);
        new Sql(connection, """
                UPDATE lane SET state = LANE_READY, turn = nextval('lane_turn')
                WHERE queue = ? AND name = ? AND state = LANE_PAUSED""").with(queue).with(group).update();
    }

    /** The lanes among these that are not paused. */
    static Set<Lane> going(Connection connection, Collection<Lane> lanes) throws SQLException {
        Set<Lane> going = new HashSet<>(lanes);
        new Sql(connection, """
                SELECT key_setting.queue, key_setting.name FROM unnest(?, ?) AS wanted(queue, name) JOIN key_setting
                  ON key_setting.queue = wanted.queue AND key_setting.name = wanted.name WHERE key_setting.paused""")
                .ints(lanes.stream().map(Lane::queue).toList()).texts(lanes.stream().map(Lane::name).toList())
                .each(row -> going.remove(new Lane(row.getInt(1), row.getString(2))));
        return going;
    }

    /** As {@link dev.orderly.job.store.JobViews#keyCounts}. */
    static List<KeyCounts> counts(Connection connection) throws SQLException {
        return new Sql(connection, """
                SELECT queue.name::text AS name,
                  (SELECT count(*) FROM (SELECT 1 FROM flow_key WHERE flow_key.queue = queue.id
                    AND flow_key.state = KEY_READY LIMIT %1$d) AS counted)
                  + (SELECT count(DISTINCT woken.key) FROM (SELECT flow_wake.key FROM flow_wake
                    WHERE flow_wake.queue = queue.id AND (SELECT paused FROM key_setting
                      WHERE key_setting.queue = flow_wake.queue AND key_setting.name = flow_wake.key) IS NOT TRUE
                    LIMIT %1$d) AS woken) AS ready,
                  (SELECT count(*) FROM (SELECT 1 FROM flow_key WHERE flow_key.queue = queue.id
                    AND flow_key.state >= KEY_RESTING LIMIT %1$d) AS counted)
                  + CASE WHEN queue.key_limit IS NULL THEN 0 ELSE (
                    SELECT count(*) FROM (SELECT lane.queue, lane.name FROM lane WHERE lane.queue = queue.id
                      AND lane.state = LANE_DELAYED LIMIT %1$d) AS rests
                    WHERE (SELECT job.state FROM job WHERE job.queue = rests.queue AND job.grp = rests.name
                      AND job.state <= RUNNING ORDER BY job.seq + 0 LIMIT 1) = WAITING) END AS held,
                  (SELECT count(*) FROM key_setting WHERE key_setting.queue = queue.id
                    AND key_setting.paused) AS paused
                FROM queue""".formatted(KeyCounts.MOST))
                .list(row -> new KeyCounts(new QueueName(row.getString("name")), row.getInt("ready"),
                        row.getInt("held"), row.getInt("paused")))
                .stream().filter(each -> !each.isEmpty()).sorted(Comparator.comparing(KeyCounts::queue)).toList();
    }
}
