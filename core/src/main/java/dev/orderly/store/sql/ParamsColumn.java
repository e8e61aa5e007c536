package dev.orderly.store.sql;

import dev.orderly.job.JobTerms;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The column of params and terms ({@link ColumnCodecs#params}), which remembers the last row: the members of a batch
 * mostly say the same. For one thread at a time.
 */
public final class ParamsColumn {
    private static final Value NOTHING = new Value(Map.of(), JobTerms.NONE);

    private @Nullable String column;
    private Value value = NOTHING;

    /** What a column says. The params cannot be changed. */
    public record Value(Map<String, String> params, JobTerms terms) {}

    public Value read(@Nullable String read) {
        if (!Objects.equals(read, column)) {
            remember(read, new Value(Collections.unmodifiableMap(ColumnCodecs.params(read)), ColumnCodecs.terms(read)));
        }
        return value;
    }

    /** The column; null for neither params nor terms. */
    public @Nullable String write(Map<String, String> params, JobTerms terms) {
        if (!terms.equals(value.terms) || !params.equals(value.params)) {
            remember(ColumnCodecs.params(params, terms), new Value(Collections.unmodifiableMap(params), terms));
        }
        return column;
    }

    private void remember(@Nullable String text, Value says) {
        column = text;
        value = says;
    }
}
