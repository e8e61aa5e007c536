package dev.orderly.spring.event;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.modulith.events.core.EventPublicationRepository;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/** The table of Spring Modulith's registry, in memory. */
public final class MemoryPublications implements EventPublicationRepository {
    private final Map<UUID, TargetEventPublication> all = new LinkedHashMap<>();

    synchronized List<TargetEventPublication> all() {
        return List.copyOf(all.values());
    }

    @Override
    public synchronized TargetEventPublication create(TargetEventPublication publication) {
        all.put(publication.getIdentifier(), publication);
        return publication;
    }

    @Override
    public synchronized void markCompleted(Object event, PublicationTargetIdentifier identifier, Instant moment) {
        findIncompletePublicationsByEventAndTargetIdentifier(event, identifier)
                .ifPresent(found -> found.markCompleted(moment));
    }

    @Override
    public synchronized void markCompleted(UUID identifier, Instant moment) {
        Objects.requireNonNull(all.get(identifier)).markCompleted(moment);
    }

    @Override
    public boolean markResubmitted(UUID identifier, Instant moment) {
        return true;
    }

    @Override
    public synchronized List<TargetEventPublication> findIncompletePublications() {
        return all.values().stream().filter(each -> !each.isCompleted()).toList();
    }

    @Override
    public synchronized List<TargetEventPublication> findIncompletePublicationsPublishedBefore(Instant instant) {
        return findIncompletePublications().stream().filter(each -> each.getPublicationDate().isBefore(instant))
                .toList();
    }

    @Override
    public synchronized Optional<TargetEventPublication> findIncompletePublicationsByEventAndTargetIdentifier(
            Object event, PublicationTargetIdentifier identifier) {
        return findIncompletePublications().stream().filter(each -> each.getEvent().equals(event)
                && each.getTargetIdentifier().equals(identifier)).findFirst();
    }

    @Override
    public synchronized void deletePublications(List<UUID> identifiers) {
        identifiers.forEach(all::remove);
    }

    @Override
    public synchronized void deleteCompletedPublications() {
        all.values().removeIf(TargetEventPublication::isCompleted);
    }

    @Override
    public synchronized void deleteCompletedPublicationsBefore(Instant instant) {
        Collection<TargetEventPublication> values = all.values();
        values.removeIf(each -> each.getCompletionDate().filter(instant::isAfter).isPresent());
    }
}
