package dev.orderly.job.search;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of found jobs, newest first, and what the store did for it.
 *
 * @param looked number of jobs that were looked at for this page
 * @param next cursor of the next page, which need not be a job that matches or is kept; null after the last
 */
public record SearchPage<T>(List<T> jobs, Extent extent, int looked, @Nullable JobId next, Access access) {
    public SearchPage {
        jobs = List.copyOf(jobs);
    }

    /** Why a page ends. */
    public enum Extent {
        /** All jobs that can match were looked at, together with the pages before. */
        ALL,
        /** The page is full; there may be more. */
        PAGE,
        /** {@link JobFinder#LOOKED_MAX} jobs were looked at; the next page looks at older jobs. */
        BOUND;

        /** The name in lower case, as in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How the store came to the jobs that it looked at. */
    public enum Access {
        /** By the id. */
        ID,
        /** By the dedupe key. */
        DEDUPE,
        /** By the index of dead letters by error. */
        ERROR,
        /** By the indexes of a group and of its queue. */
        GROUP,
        /** By the indexes of a queue. */
        QUEUE,
        /** By the index of a state. */
        STATE,
        /** By id, from the newest job of the store. */
        NEWEST;

        /** The way of a store with all these indexes, for a search whose dedupe key is looked up already. */
        public static Access of(JobSearch search) {
            if (!search.ids().prefix().isEmpty()) {
                return ID;
            }
            if (search.error() != null) {
                return ERROR;
            }
            if (search.queue() != null) {
                return search.group() != null && search.queue().isFifo() ? GROUP : QUEUE;
            }
            return search.state() == JobState.DEAD || search.state() == JobState.RUNNING ? STATE : NEWEST;
        }

        /** The name in lower case, as in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The same page of other values, in the same order. */
    public <R> SearchPage<R> of(List<R> values) {
        return new SearchPage<>(values, extent, looked, next, access);
    }

    /** The same page with each value converted. */
    public <R> SearchPage<R> map(Function<? super T, ? extends R> convert) {
        return of(jobs.stream().<R>map(convert).toList());
    }
}
