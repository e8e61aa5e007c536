package dev.orderly.store.sqlite;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opened resources, closed once in reverse order. A failure to close one does not affect the others. */
final class OpenResources implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenResources.class);

    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();

    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        for (AutoCloseable resource = opened.poll(); resource != null; resource = opened.poll()) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("Closing {}: {}", resource, e.toString());
            }
        }
    }
}
