package dev.orderly.job.engine;

import dev.orderly.job.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** What two declarations of one queue say differently, in the words of {@link QueueOptions}. */
final class DeclarationDifference {
    /** An option and its reader. */
    private record Option(String name, Function<QueueOptions, Object> value) {}

    private static final List<Option> OPTIONS = List.of(new Option("concurrency", QueueOptions::concurrency),
            new Option("timeout", QueueOptions::timeout), new Option("retry", QueueOptions::retry),
            new Option("onDead", QueueOptions::onDead), new Option("maxPayload", QueueOptions::maxPayload),
            new Option("maxPending", QueueOptions::maxPending), new Option("maxLeased", QueueOptions::maxLeased),
            new Option("unreadableFor", QueueOptions::unreadableFor),
            new Option("contentDedupe", QueueOptions::contentDedupe),
            new Option("limitName", QueueOptions::limitName), new Option("limit", QueueOptions::limit),
            new Option("key", QueueOptions::key), new Option("perKey", QueueOptions::perKey),
            new Option("keyMaxPending", QueueOptions::keyMaxPending));

    private DeclarationDifference() {}

    /** Each difference with both values, the first declaration before the second; empty for equal declarations. */
    static String of(DeclaredQueue first, QueueOptions options, DeclaredQueue second, QueueOptions others) {
        List<String> differences = new ArrayList<>();
        if (!first.format.isLike(second.format)) {
            differences.add("type " + first.format + " and " + second.format);
        }
        for (Option option : OPTIONS) {
            Object one = option.value.apply(options);
            Object other = option.value.apply(others);
            if (!Objects.equals(one, other)) {
                differences.add(option.name + " " + one + " and " + other);
            }
        }
        return String.join(", ", differences);
    }
}
