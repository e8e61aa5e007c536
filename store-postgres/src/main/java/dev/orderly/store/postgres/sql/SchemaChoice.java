package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice of the schema, and the check that no application creates its tables there by accident. Without a setting
 * of its own a session creates tables in the schema with the name of its user, if there is one, and else in
 * {@code public}.
 */
public final class SchemaChoice {
    /** The default schema. No user of a database has this name by chance. */
    public static final String DEFAULT = "orderly_store";
    /** The default of version 0.1.0, which many users have as their name too. */
    private static final String FORMER = "orderly";

    private static final Logger LOG = LoggerFactory.getLogger(SchemaChoice.class);
    private static final String IS_OURS = "SELECT count(*) FROM pg_tables WHERE schemaname = ?"
            + " AND tablename IN ('meta', 'lane', 'recent')";

    private SchemaChoice() {}

    /** The default schema, or the former default if only that has Orderly's tables. */
    public static String standard(Connection connection) throws SQLException {
        return !isOurs(connection, DEFAULT) && isOurs(connection, FORMER) ? FORMER : DEFAULT;
    }

    /** The statement that makes a schema the one of all tables. */
    public static String searchPath(String schema) {
        return "SET search_path = " + schema + ", pg_temp";
    }

    private static boolean isOurs(Connection connection, String schema) throws SQLException {
        return new Sql(connection, IS_OURS).with(schema).number() == 3;
    }

    /**
     * Refuses to create tables where sessions of an application create theirs.
     *
     * @throws StoreException.Unusable if that is so
     */
    static void checkNew(Connection connection, String schema) throws SQLException {
        if (isDefaultPlace(connection, schema)) {
            throw new StoreException.Unusable(place(schema) + ", so tables of an application could get among Orderly's:"
                    + " use another schema, such as ?schema=" + DEFAULT + ", the default", null);
        }
    }

    /**
     * Warns of a schema of an earlier version where sessions of an application create their tables, and of such tables.
     *
     * @param own the names of Orderly's tables
     */
    static void checkOld(Connection connection, String schema, Set<String> own) throws SQLException {
        List<String> foreign = new Sql(connection,
                "SELECT tablename::text FROM pg_tables WHERE schemaname = ? ORDER BY 1").with(schema)
                .list(row -> row.getString(1)).stream().filter(table -> !own.contains(table)).toList();
        boolean exposed = isDefaultPlace(connection, schema);
        if (!exposed && foreign.isEmpty()) {
            return;
        }
        List<String> remedy = new ArrayList<>();
        foreign.forEach(table -> remedy.add("ALTER TABLE " + schema + ".\"" + table + "\" SET SCHEMA public;"));
        if (exposed && schema.equals(FORMER)) {
            remedy.add("ALTER SCHEMA " + schema + " RENAME TO " + DEFAULT + ";");
        }
        LOG.warn("{}{}. While no node and no application runs, execute: {}",
                exposed ? place(schema) : "The schema " + schema + " is Orderly's",
                foreign.isEmpty() ? "" : ", and has tables of another program: " + String.join(", ", foreign),
                remedy.isEmpty() ? "nothing; move Orderly to another schema" : String.join(" ", remedy));
    }

    /** The one function with a search path of its own finds its tables after the schema was renamed. */
    static void followRename(Connection connection, String schema) throws SQLException {
        long wrong = new Sql(connection, "SELECT count(*) FROM pg_proc WHERE pronamespace = ?::regnamespace"
                + " AND proname = 'blocked' AND NOT EXISTS(SELECT FROM unnest(proconfig) AS setting"
                + " WHERE setting = 'search_path=' || ? OR starts_with(setting, 'search_path=' || ? || ','))")
                .with(schema).with(schema).with(schema).number();
        if (wrong > 0) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ALTER FUNCTION blocked(boolean, int[], text[]) SET search_path FROM CURRENT");
            }
        }
    }

    private static String place(String schema) {
        return schema.equals("public")
                ? "The schema public is where every session creates its tables"
                : "The schema " + schema + " has the name of the database user " + schema
                        + ", whose sessions create their tables there";
    }

    private static boolean isDefaultPlace(Connection connection, String schema) throws SQLException {
        return schema.equals("public")
                || new Sql(connection, "SELECT count(*) FROM pg_roles WHERE rolname = ?").with(schema).number() > 0;
    }
}
