package dev.orderly.testkit.contract.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The values of all columns of a database, sorted, by {@code table.column}: equal in a store and its copy, unless a
 * test names the table or the column. So a column that a later version adds has to be copied or named.
 */
public final class CopyColumns {
    private static final Set<String> EMPTY = Set.of("null", "0", "", "false", "f");

    private CopyColumns() {}

    /** The columns of a query on one table. */
    public static Map<String, List<String>> of(Statement statement, String table, String query) throws SQLException {
        Map<String, List<String>> found = new TreeMap<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            ResultSetMetaData columns = rows.getMetaData();
            while (rows.next()) {
                for (int n = 1; n <= columns.getColumnCount(); n++) {
                    Object value = rows.getObject(n);
                    found.computeIfAbsent(table + "." + columns.getColumnName(n), _ -> new ArrayList<>())
                            .add(value instanceof byte[] bytes
                                    ? HexFormat.of().formatHex(bytes)
                                    : String.valueOf(value));
                }
            }
            for (int n = 1; n <= columns.getColumnCount(); n++) {
                found.computeIfAbsent(table + "." + columns.getColumnName(n), _ -> new ArrayList<>());
            }
        }
        found.values().forEach(Collections::sort);
        return found;
    }

    /** Columns that are named, or whose table is. */
    public static Predicate<String> named(Map<String, String> reasons) {
        return column -> reasons.containsKey(column)
                || reasons.containsKey(column.substring(0, column.indexOf('.')));
    }

    /** Fails if a column differs, or if no row of the source fills it, so that the copy might have forgotten it. */
    public static void compare(Map<String, List<String>> source, Map<String, List<String>> copy) {
        assertThat(source).allSatisfy((column, values) -> assertThat(EMPTY.containsAll(values))
                .as("Column %s is never filled: let CopyState fill it, so that this test sees whether it is copied",
                        column)
                .isFalse());
        assertThat(copy).containsExactlyEntriesOf(source);
    }
}
