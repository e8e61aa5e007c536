package dev.orderly.store.postgres.interleaving;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Points in the calls of a schema at which a session waits until {@link StatementScheduler} lets it go on: before each
 * statement of each function, and before each change of rows, when its statement has its snapshot already. A session
 * that the scheduler does not know goes on at once.
 */
final class PausePoints {
    /** The first part of the key of the advisory lock at which a session pauses; the second is its process id. */
    static final int BEFORE = 7_700_000;
    /** Of the lock behind it, which the session gets when {@link #BEFORE} has been locked again. */
    static final int BEHIND = 7_700_001;

    /** After the end of one statement, a word that does not begin another. */
    private static final Set<String> NO_STATEMENT = Set.of("END", "ELSE", "ELSIF", "EXCEPTION", "WHEN", "");
    private static final Pattern BODY = Pattern.compile("\\$function\\$(.*)\\$function\\$", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\s*(?:--[^\n]*\n\\s*)*([A-Za-z_]*)");

    private final String schema;

    /**
     * A change of a text that makes it wrong.
     *
     * @param function of the database that has the text; null for statements of nodes
     */
    record Defect(@Nullable String function, String text, String replacement) {}

    PausePoints(String schema) {
        this.schema = schema;
    }

    /** Adds the points to a schema in use; its sessions see them from their next call on. */
    void add(Connection connection, @Nullable Defect defect) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET search_path TO " + schema + ", pg_temp");
            // A wait here is the scheduler's, and not one for a row: the patience of the call does not count.
            statement.execute("""
                    CREATE FUNCTION SCHEMA.pause() RETURNS boolean LANGUAGE plpgsql SET lock_timeout = 0 AS $$
                      BEGIN
                        PERFORM pg_advisory_lock_shared(BEFORE, pg_backend_pid());
                        PERFORM pg_advisory_unlock_shared(BEFORE, pg_backend_pid());
                        PERFORM pg_advisory_lock_shared(BEHIND, pg_backend_pid());
                        PERFORM pg_advisory_unlock_shared(BEHIND, pg_backend_pid());
                        RETURN true;
                      END $$;
                    CREATE FUNCTION SCHEMA.pause_change() RETURNS trigger LANGUAGE plpgsql AS $$
                      BEGIN
                        PERFORM SCHEMA.pause();
                        RETURN NULL;
                      END $$""".replace("SCHEMA", schema).replace("BEFORE", String.valueOf(BEFORE))
                    .replace("BEHIND", String.valueOf(BEHIND)));
            for (String table : names(statement, "SELECT tablename FROM pg_tables WHERE schemaname = '%s'")) {
                statement.execute("CREATE TRIGGER pause BEFORE INSERT OR UPDATE OR DELETE ON " + schema + "." + table
                        + " FOR EACH STATEMENT EXECUTE FUNCTION " + schema + ".pause_change()");
            }
            List<String> functions = names(statement, """
                    SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = '%s'::regnamespace
                      AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql') AND provolatile = 'v'
                      AND proname NOT IN ('pause', 'pause_change')""");
            Defect planted = defect == null || defect.function == null ? null : defect;
            if (planted != null && functions.stream().noneMatch(each -> defects(each, planted))) {
                throw new IllegalStateException("No function has the text of " + planted);
            }
            for (String function : functions) {
                statement.execute(paused(planted != null && defects(function, planted)
                        ? function.replace(planted.text, planted.replacement)
                        : function));
            }
        }
    }

    private boolean defects(String function, Defect defect) {
        return function.startsWith("CREATE OR REPLACE FUNCTION " + schema + "." + defect.function + "(")
                && function.contains(defect.text);
    }

    private List<String> names(Statement statement, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query.formatted(schema))) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    /** A function with a pause before each of its statements that follows another. */
    private String paused(String function) {
        Matcher body = BODY.matcher(function);
        if (!body.find()) {
            throw new IllegalStateException("Not a function: " + function);
        }
        return function.substring(0, body.start(1)) + pausedBody(body.group(1)) + function.substring(body.end(1));
    }

    private String pausedBody(String body) {
        StringBuilder out = new StringBuilder();
        int depth = 0;
        boolean declaring = true;
        for (int at = 0; at < body.length(); at++) {
            char c = body.charAt(at);
            int end = at;
            if (c == '\'') {
                end = body.indexOf('\'', at + 1);
            } else if (body.startsWith("--", at)) {
                end = body.indexOf('\n', at);
            }
            out.append(body, at, end + 1);
            at = end;
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0 && (c == ';' || (c == 'N' && isWord(body, at, "BEGIN")))) {
                declaring &= c == ';';
                String next = word(body, at + 1);
                if (!declaring && !NO_STATEMENT.contains(next)) {
                    out.append(" ASSERT ").append(schema).append(".pause();"); // which sets neither FOUND nor ROW_COUNT
                }
                declaring |= next.equals("DECLARE");
            }
        }
        return out.toString();
    }

    private static boolean isWord(String body, int last, String word) {
        int first = last - word.length() + 1;
        return first >= 0 && body.startsWith(word, first)
                && (first == 0 || !Character.isLetterOrDigit(body.charAt(first - 1)))
                && !Character.isLetterOrDigit(body.charAt(last + 1));
    }

    private static String word(String body, int from) {
        Matcher next = WORD.matcher(body);
        return next.find(from) && next.start() == from ? next.group(1).toUpperCase(Locale.ROOT) : "";
    }
}
