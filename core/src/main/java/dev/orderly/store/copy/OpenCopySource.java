package dev.orderly.store.copy;

import java.time.Instant;

/** A store that is open for reading only, as the source of a copy. Nothing of it is changed. The caller closes it. */
public interface OpenCopySource extends AutoCloseable {
    /** As the name of the store that can be written. */
    String name();

    CopySource data();

    /** The present, by the clock of the store. */
    Instant now();

    /** About the number of jobs, for the display of progress; zero for a store without jobs. */
    long jobs();

    @Override
    void close();
}
