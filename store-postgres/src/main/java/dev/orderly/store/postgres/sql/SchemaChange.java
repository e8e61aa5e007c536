package dev.orderly.store.postgres.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement of a version, by the way in which it runs beside nodes at work. */
sealed interface SchemaChange {
    /** Needs its locks for a moment only: part of a short transaction. */
    record Brief(String sql) implements SchemaChange {}

    /**
     * An index of a table that may be large. Built beside the changes of others, outside transactions.
     *
     * @param unique {@code UNIQUE } or empty
     * @param of the table, and what follows it
     */
    record Index(String unique, String name, String of) implements SchemaChange {}

    /** A value for the rows of a table that fulfil a condition. Set in chunks; a row that has it is left alone. */
    record Rows(String table, String column, String value, String condition) implements SchemaChange {}

    /** The end of a statement: a semicolon at the end of a line. */
    Pattern END = Pattern.compile(";[ \t]*(?:\n|$)");
    Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$");
    Pattern TABLE = Pattern.compile("^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\\w+)");
    Pattern INDEX = Pattern.compile("^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?(\\w+) ON ((\\w+).*)", Pattern.DOTALL);
    Pattern ROWS = Pattern.compile("^UPDATE (\\w+) SET (\\w+) = (.+) WHERE (.+)", Pattern.DOTALL);

    /**
     * The changes of a version in their order.
     *
     * @param sql statements, each ended by a semicolon at the end of its line, without functions
     */
    static List<SchemaChange> of(String sql) {
        List<SchemaChange> changes = new ArrayList<>();
        Set<String> created = new HashSet<>();
        for (String part : END.split(COMMENT.matcher(sql).replaceAll(""), -1)) {
            String statement = part.strip();
            if (!statement.isEmpty()) {
                Matcher table = TABLE.matcher(statement);
                if (table.find()) {
                    created.add(table.group(1));
                }
                changes.add(change(statement, created));
            }
        }
        return changes;
    }

    private static SchemaChange change(String statement, Set<String> created) {
        Matcher index = INDEX.matcher(statement);
        if (index.matches() && !created.contains(index.group(4))) {
            return new Index(index.group(1) == null ? "" : index.group(1), index.group(2), index.group(3));
        }
        Matcher rows = ROWS.matcher(statement);
        return rows.matches()
                ? new Rows(rows.group(1), rows.group(2), rows.group(3), rows.group(4))
                : new Brief(statement);
    }
}
