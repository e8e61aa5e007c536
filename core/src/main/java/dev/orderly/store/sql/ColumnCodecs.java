package dev.orderly.store.sql;

import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobTerms;
import dev.orderly.job.RetryPolicy;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Codecs between values of the domain and column types that every SQL database has: text, integers and bytes. */
public final class ColumnCodecs {
    private static final int PROGRESS_PARTS = 3;
    /** The name of the terms among the params: no param has this character. */
    private static final String TERMS = "\0";
    private static final String EXPIRES = "expires";
    private static final String RETRY = "retry";
    private static final String TIMEOUT = "timeout";
    private static final String UNIQUE = "unique";
    private static final String DEBOUNCE = "debounce";
    private static final String AT_MOST = "atMost";
    private static final String DEDUPE_FOR = "dedupeFor";
    private static final String KEY = "key";
    private static final String COST = "cost";
    private static final String BATCH = "batch";
    private static final String CALLBACK = "callback";

    private ColumnCodecs() {}

    /** Params as JSON; null for none. */
    public static @Nullable String params(Map<String, String> params) {
        return params.isEmpty() ? null : Json.MAPPER.writeValueAsString(params);
    }

    public static Map<String, String> params(@Nullable String column) {
        if (column == null) {
            return Map.of();
        }
        Map<String, String> params = Json.MAPPER.readValue(column, Json.PARAMS);
        params.remove(TERMS);
        return params;
    }

    /**
     * Params, and terms under a name that no param can have; null for none of both. In the column of the params, so
     * that each statement that carries params carries the terms, and jobs without terms cost nothing for them.
     */
    public static @Nullable String params(Map<String, String> params, JobTerms terms) {
        if (terms.equals(JobTerms.NONE)) {
            return params(params);
        }
        Map<String, String> all = new HashMap<>(params);
        all.put(TERMS, Json.MAPPER.writeValueAsString(termParts(terms)));
        return Json.MAPPER.writeValueAsString(all);
    }

    /** The terms in a column of params. */
    public static JobTerms terms(@Nullable String column) {
        if (column == null || !column.contains("\\u0000\"")) {
            return JobTerms.NONE;
        }
        String text = Json.MAPPER.readValue(column, Json.PARAMS).get(TERMS);
        if (text == null) {
            return JobTerms.NONE;
        }
        Map<String, String> parts = Json.MAPPER.readValue(text, Json.PARAMS);
        String expires = parts.get(EXPIRES);
        String retry = parts.get(RETRY);
        String debounce = parts.get(DEBOUNCE);
        return new JobTerms(expires == null ? null : Instant.ofEpochMilli(Long.parseLong(expires)),
                retry == null ? null : retry(retry.split(" ")),
                duration(parts.get(TIMEOUT)), parts.get(UNIQUE),
                debounce == null ? null : new JobTerms.Debounce(debounce, duration(parts.get(AT_MOST))),
                duration(parts.get(DEDUPE_FOR)), parts.get(KEY), Integer.parseInt(parts.getOrDefault(COST, "1")),
                batch(parts.get(BATCH)));
    }

    /** A link as its name, its number and, of a callback, a word, separated by spaces. */
    private static @Nullable BatchLink batch(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(" ", -1);
        return new BatchLink(new BatchName(parts[0]), Long.parseLong(parts[1]), parts.length > 2);
    }

    private static @Nullable Duration duration(@Nullable String text) {
        return text == null ? null : Duration.parse(text);
    }

    /** The moment at which a job expires; zero for never. */
    public static long expiry(JobTerms terms) {
        return terms.expiresAt() == null ? 0 : millis(terms.expiresAt());
    }

    private static Map<String, String> termParts(JobTerms terms) {
        Map<String, String> parts = new HashMap<>();
        if (terms.expiresAt() != null) {
            parts.put(EXPIRES, Long.toString(millis(terms.expiresAt())));
        }
        RetryPolicy retry = terms.retry();
        if (retry != null) {
            parts.put(RETRY, String.join(" ", Integer.toString(retry.attempts()), retry.base().toString(),
                    Double.toString(retry.factor()), retry.max().toString(), Double.toString(retry.jitter())));
        }
        if (terms.timeout() != null) {
            parts.put(TIMEOUT, terms.timeout().toString());
        }
        if (terms.unique() != null) {
            parts.put(UNIQUE, terms.unique());
        }
        if (terms.key() != null) {
            parts.put(KEY, terms.key());
        }
        if (terms.cost() > 1) {
            parts.put(COST, Integer.toString(terms.cost()));
        }
        BatchLink batch = terms.batch();
        if (batch != null) {
            parts.put(BATCH, batch.name() + " " + batch.number() + (batch.callback() ? " " + CALLBACK : ""));
        }
        JobTerms.Debounce debounce = terms.debounce();
        if (debounce != null) {
            parts.put(DEBOUNCE, debounce.key());
            if (debounce.atMost() != null) {
                parts.put(AT_MOST, debounce.atMost().toString());
            }
        }
        if (terms.dedupeFor() != null) {
            parts.put(DEDUPE_FOR, terms.dedupeFor().toString());
        }
        return parts;
    }

    private static RetryPolicy retry(String[] parts) {
        return new RetryPolicy(Integer.parseInt(parts[0]), Duration.parse(parts[1]), Double.parseDouble(parts[2]),
                Duration.parse(parts[3]), Double.parseDouble(parts[4]));
    }

    /** Done, total and text, separated by spaces; null for none. */
    public static @Nullable String progress(@Nullable JobProgress progress) {
        return progress == null ? null : progress.done() + " " + progress.total() + " " + progress.text();
    }

    public static @Nullable JobProgress progress(@Nullable String column) {
        if (column == null) {
            return null;
        }
        String[] parts = column.split(" ", PROGRESS_PARTS);
        return new JobProgress(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
    }

    /** The key as 16 bytes. */
    public static byte[] key(DedupeKey key) {
        return key.bytes();
    }

    /** The key of a column, without the fingerprint that may follow it. */
    public static DedupeKey key(byte[] column) {
        ByteBuffer bytes = ByteBuffer.wrap(column);
        return new DedupeKey(bytes.getLong(), bytes.getLong());
    }

    /** A dedupe key, followed by its fingerprint if it has one; null for no key. */
    public static byte @Nullable [] keys(@Nullable DedupeKey key, @Nullable DedupeKey fingerprint) {
        if (key == null || fingerprint == null) {
            return key == null ? null : key.bytes();
        }
        return ByteBuffer.allocate(4 * Long.BYTES).put(key.bytes()).put(fingerprint.bytes()).array();
    }

    /** The fingerprint in a column of {@link #keys}; null if it has none. */
    public static @Nullable DedupeKey fingerprint(byte[] column) {
        return column.length == 2 * Long.BYTES ? null : key(Arrays.copyOfRange(column, 2 * Long.BYTES, column.length));
    }

    /** Unix milliseconds, rounded up, so that no job becomes due before its moment. */
    public static long millis(Instant moment) {
        long millis = moment.toEpochMilli();
        return Instant.ofEpochMilli(millis).isBefore(moment) ? millis + 1 : millis;
    }

    /** A moment from a column of Unix milliseconds; null for SQL NULL. */
    public static @Nullable Instant moment(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    /** Binds a moment to a column of Unix milliseconds. */
    public static void moment(PreparedStatement into, int column, @Nullable Instant moment) throws SQLException {
        if (moment == null) {
            into.setNull(column, Types.BIGINT);
        } else {
            into.setLong(column, moment.toEpochMilli());
        }
    }

    /** Holder class: the mapper is created with the first job that has params, not before the first job. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.shared();
        static final TypeReference<Map<String, String>> PARAMS = new TypeReference<>() {
        };
    }
}
