package dev.orderly.store.sql;

import dev.orderly.job.Priority;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The number by which SQL stores index the jobs of standard queues: the number of the priority, 1 to 4, and 4 more for
 * a job with a key. So scans for jobs without keys do not meet those that wait for their keys.
 */
public final class ClassNumber {
    /** All numbers. */
    public static final List<Integer> ALL = IntStream.rangeClosed(1, 2 * Priority.values().length).boxed().toList();
    /** The numbers of jobs with keys. */
    public static final List<Integer> KEYED = ALL.stream().filter(ClassNumber::hasKey).toList();

    private ClassNumber() {}

    /** The number of a job. */
    public static int of(Priority priority, @Nullable String key) {
        return priority.number() + (key == null ? 0 : Priority.values().length);
    }

    /** The priority of a job with this number. */
    public static Priority priority(int number) {
        return Priority.of(hasKey(number) ? number - Priority.values().length : number);
    }

    /** Whether a job with this number has a key. */
    public static boolean hasKey(int number) {
        return number > Priority.values().length;
    }
}
