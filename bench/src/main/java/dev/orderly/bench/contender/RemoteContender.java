package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Figure;
import java.io.IOException;

/**
 * A contender in a process of its own, so that its processor time and memory are its alone, and the JIT compiles for it
 * only.
 */
public interface RemoteContender extends AutoCloseable {
    /** Runs a workload on empty tables. Blocks until the contender is closed again. */
    Figure run(Workload workload, int number) throws IOException;

    @Override
    void close();
}
