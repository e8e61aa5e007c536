package dev.orderly.store.sql;

import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns {@value #NAMES} of settings of a key or group; {@code own_period} and {@code set_at} in milliseconds. */
public final class KeySettingColumns {
    public static final String NAMES = "paused, own_concurrency, own_starts, own_period, set_by, set_at";

    private KeySettingColumns() {}

    /** The values, in the order of {@link #NAMES}. */
    public static List<@Nullable Object> values(KeySettings settings) {
        LimitOverride bounds = settings.bounds();
        Duration period = bounds.period();
        return Arrays.asList(settings.paused(), bounds.concurrency(), bounds.starts(),
                period == null ? null : Long.valueOf(period.toMillis()), bounds.by(), bounds.at().toEpochMilli());
    }

    /** The settings of a row; none if all columns are null, as in an outer join. */
    public static KeySettings read(ResultSet row) throws SQLException {
        if (row.getString("set_by") == null) {
            return KeySettings.NONE;
        }
        Integer starts = number(row, "own_starts");
        return new KeySettings(row.getBoolean("paused"), new LimitOverride(number(row, "own_concurrency"), starts,
                starts == null ? null : Duration.ofMillis(row.getLong("own_period")), row.getString("set_by"),
                Instant.ofEpochMilli(row.getLong("set_at"))));
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : Integer.valueOf(value);
    }
}
