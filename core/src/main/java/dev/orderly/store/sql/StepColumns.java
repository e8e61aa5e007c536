package dev.orderly.store.sql;

import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.store.copy.CopiedRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The columns of a {@link JobStep}. */
public final class StepColumns {
    public static final String NAMES = "name, attempt, at, content_type, value";
    public static final String INSERT = "INSERT INTO job_step(seq, number, " + NAMES + ") VALUES(?, ?, ?, ?, ?, ?, ?)";
    /** What a step counts towards {@link JobStep#BYTES_MAX}. */
    public static final String BYTES = "octet_length(name) + coalesce(octet_length(value), 0)";

    private StepColumns() {}

    /**
     * Reads a row with these columns.
     *
     * @param clock makes clock time of the stored moment
     */
    public static JobStep read(ResultSet row, UnaryOperator<Instant> clock) throws SQLException {
        byte[] value = row.getBytes("value");
        return new JobStep(row.getString("name"), row.getInt("attempt"),
                clock.apply(Instant.ofEpochMilli(row.getLong("at"))),
                value == null ? null : new Payload(row.getString("content_type"), value));
    }

    /** Binds the parameters of {@link #INSERT}. */
    public static void bind(PreparedStatement insert, long seq, int number, JobStep step) throws SQLException {
        @Nullable
        Payload value = step.value();
        insert.setLong(1, seq);
        insert.setInt(2, number);
        insert.setString(3, step.name());
        insert.setInt(4, step.attempt());
        insert.setLong(5, step.keptAt().toEpochMilli());
        insert.setString(6, value == null ? null : value.contentType());
        insert.setBytes(7, value == null ? null : value.bytes());
    }

    /** Writes steps of a copy. */
    public static void write(Connection connection, List<CopiedRecord> steps) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (CopiedRecord each : steps) {
                CopiedRecord.Step copied = (CopiedRecord.Step) each;
                bind(insert, copied.job().sequence(), copied.number(), copied.step());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
