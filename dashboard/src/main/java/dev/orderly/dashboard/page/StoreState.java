package dev.orderly.dashboard.page;

import dev.orderly.store.StoreException;
import dev.orderly.store.StorePart.Content;
import dev.orderly.store.watch.StoreWatch;
import dev.orderly.store.watch.StoreWatch.Outage;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What pages know of the store: which parts do not answer, and what is shown all the same. Thread-safe. */
public record StoreState(StoreWatch watch) {
    /** The parts that do not answer now. */
    public List<Outage> outages() {
        return watch.outages();
    }

    /** The outage of what keeps jobs, schedules, access and history; empty while it answers. */
    public Optional<Outage> ofJobs() {
        return ofAllBut(Content.ROOMS);
    }

    /** The outage of what keeps the rooms; empty while it answers. */
    public Optional<Outage> ofRooms() {
        return ofAllBut(Content.JOBS);
    }

    private Optional<Outage> ofAllBut(Content content) {
        return watch.outages().stream().filter(outage -> outage.part().content() != content).findFirst();
    }

    /**
     * What the store of jobs says; empty while it does not answer, so that the rest of a page is shown. Blocks, but not
     * during an outage that is known.
     */
    public <T> Optional<T> fromJobs(Supplier<T> read) {
        if (ofJobs().isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(read.get());
        } catch (StoreException _) {
            return Optional.empty();
        }
    }
}
