package dev.orderly.store.sql;

import dev.orderly.job.JobId;
import dev.orderly.job.search.JobCandidate;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.job.search.SearchPage.Extent;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A search as a merge of sources, each of which reads jobs by one index from the newest on. Stops when the page is full
 * or the bound of looked-at jobs is reached. Not thread-safe.
 */
public final class JobScan {
    private static final int CHUNK_FIRST = 64;
    private static final int CHUNK_MAX = 4_096;

    private final JobSearch search;
    private final Access access;
    private final List<Cursor> cursors = new ArrayList<>();
    private final int limit;
    private final long end;

    /** @param before exclusive end of the ids; null for all */
    public JobScan(JobSearch search, @Nullable JobId before, int limit, Access access) {
        JobFinder.checkLimit(limit);
        this.search = search;
        this.access = access;
        this.limit = limit;
        long last = search.ids().last();
        long all = last == Long.MAX_VALUE ? last : last + 1;
        end = before == null ? all : Math.min(all, before.sequence());
    }

    /** Jobs of one index, newest first. */
    @FunctionalInterface
    public interface Source {
        /**
         * @param below exclusive end of the sequence numbers
         * @param most largest number of jobs; fewer only if there are no more
         */
        List<JobCandidate> read(long below, int most) throws SQLException;
    }

    /** Adds a source; no job is in two of them. */
    public void add(Source source) {
        cursors.add(new Cursor(source));
    }

    /** Runs the search. */
    public SearchPage<JobId> run() throws SQLException {
        PriorityQueue<Cursor> heads = new PriorityQueue<>(
                Comparator.<Cursor, JobId>comparing(Cursor::head).reversed());
        for (Cursor cursor : cursors) {
            if (cursor.fill()) {
                heads.add(cursor);
            }
        }
        List<JobId> found = new ArrayList<>();
        int looked = 0;
        while (true) {
            Cursor cursor = heads.poll();
            if (cursor == null) {
                return new SearchPage<>(found, Extent.ALL, looked, null, access);
            }
            JobCandidate job = cursor.take();
            looked++;
            if (search.matches(job)) {
                found.add(job.id());
            }
            if (cursor.fill()) {
                heads.add(cursor);
            }
            boolean full = found.size() == limit;
            if (!heads.isEmpty() && (full || looked == JobFinder.LOOKED_MAX)) {
                return new SearchPage<>(found, full ? Extent.PAGE : Extent.BOUND, looked, job.id(), access);
            }
        }
    }

    private final class Cursor {
        private final Source source;
        private final Deque<JobCandidate> buffer = new ArrayDeque<>();
        private long below = end;
        private int chunk = Math.max(CHUNK_FIRST, Math.min(limit + 1, CHUNK_MAX));
        private boolean last;

        Cursor(Source source) {
            this.source = source;
        }

        JobId head() {
            return buffer.getFirst().id();
        }

        JobCandidate take() {
            return buffer.removeFirst();
        }

        /** Reads the next jobs unless some are there; false at the end of the range. */
        boolean fill() throws SQLException {
            if (buffer.isEmpty() && !last) {
                List<JobCandidate> read = source.read(below, chunk);
                last = read.size() < chunk;
                for (JobCandidate job : read) {
                    below = job.id().sequence();
                    if (below < search.ids().first()) {
                        last = true;
                        break;
                    }
                    buffer.add(job);
                }
                chunk = Math.min(CHUNK_MAX, 4 * chunk);
            }
            return !buffer.isEmpty();
        }
    }
}
