package dev.orderly.store.postgres.sql;

import dev.orderly.job.store.NodeTimes;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Statements with which each session of a store begins: they refuse a server that cannot serve it, and give the session
 * its settings. Statements, since poolers refuse settings in the request for a connection.
 */
public final class SessionStart {
    /** State of the error of a server that is a standby. */
    static final String STANDBY = "OR003";
    /** State of the error of a server whose commits wait for a standby. */
    static final String HUNG = "OR004";

    /**
     * Longest idle time of a node inside a transaction; after it the server ends the transaction. A process that is
     * suspended there keeps its locks for this long, and with them blocks pushes into those groups. A running node is
     * never idle inside a transaction.
     */
    private static final Duration IDLE = Duration.ofSeconds(5);

    /** Limits, and settings that keep plans independent of statistics, which a fresh or fast-changing table lacks. */
    static final Map<String, String> SETTINGS = Map.of("statement_timeout",
            String.valueOf(NodeTimes.STATEMENT.toMillis()), "lock_timeout", LockPatience.FULL.millis(),
            "idle_in_transaction_session_timeout", String.valueOf(IDLE.toMillis()), "jit", "off", "enable_seqscan",
            "off", "plan_cache_mode", "force_generic_plan");

    /** Time after which a commit that waits for a standby is not merely slow. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private SessionStart() {}

    /** Gives a session the settings of the store. */
    public static String settings() {
        return new TreeMap<>(SETTINGS).entrySet().stream()
                .map(each -> "SET " + each.getKey() + " = '" + each.getValue() + "'").collect(Collectors.joining("; "));
    }

    /**
     * Fails on a standby; and where commits of sessions like this one do not return, so that a store does not leave one
     * more hanging session on the server with each attempt. Servers without synchronous standbys plan no look at the
     * sessions, which costs more than the rest of a connection's beginning.
     */
    public static String check() {
        return "DO $$ BEGIN IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = '" + STANDBY
                + "', MESSAGE = 'the server is a standby'; END IF;"
                + " IF current_setting('synchronous_standby_names') <> '' THEN IF EXISTS(SELECT FROM pg_stat_activity"
                + " WHERE wait_event = 'SyncRep' AND usename = session_user"
                + " AND application_name = current_setting('application_name') AND state_change < clock_timestamp()"
                + " - interval '" + PATIENCE.toSeconds() + " s') THEN RAISE EXCEPTION USING ERRCODE = '" + HUNG
                + "', MESSAGE = 'no synchronous standby acknowledges commits'; END IF; END IF; END $$";
    }
}
