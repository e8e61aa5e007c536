package dev.orderly.spring.event;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.modulith.events.core.EventPublicationRepository;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/** The table of Spring Modulith's registry, in memory. */
public final class MemoryPublications implements EventPublicationRepository {
    private final List<TargetEventPublication> all = new CopyOnWriteArrayList<>();

    List<TargetEventPublication> all() {
        return List.copyOf(all);
    }

    @Override
    public TargetEventPublication create(TargetEventPublication publication) {
        all.add(publication);
        return publication;
    }

    @Override
    public void markCompleted(Object event, PublicationTargetIdentifier identifier, Instant moment) {
        findIncompletePublicationsByEventAndTargetIdentifier(event, identifier)
                .ifPresent(found -> found.markCompleted(moment));
    }

    @Override
    public void markCompleted(UUID identifier, Instant moment) {
        all.stream().filter(each -> each.getIdentifier().equals(identifier)).findFirst().orElseThrow()
                .markCompleted(moment);
    }

    @Override
    public boolean markResubmitted(UUID identifier, Instant moment) {
        return true;
    }

    @Override
    public List<TargetEventPublication> findIncompletePublications() {
        return all.stream().filter(each -> !each.isCompleted()).toList();
    }

    @Override
    public List<TargetEventPublication> findIncompletePublicationsPublishedBefore(Instant instant) {
        return findIncompletePublications().stream().filter(each -> each.getPublicationDate().isBefore(instant))
                .toList();
    }

    @Override
    public Optional<TargetEventPublication> findIncompletePublicationsByEventAndTargetIdentifier(
            Object event, PublicationTargetIdentifier identifier) {
        return findIncompletePublications().stream().filter(each -> each.getEvent().equals(event)
                && each.getTargetIdentifier().equals(identifier)).findFirst();
    }

    @Override
    public void deletePublications(List<UUID> identifiers) {
        all.removeIf(each -> identifiers.contains(each.getIdentifier()));
    }

    @Override
    public void deleteCompletedPublications() {
        all.removeIf(TargetEventPublication::isCompleted);
    }

    @Override
    public void deleteCompletedPublicationsBefore(Instant instant) {
        all.removeIf(each -> each.getCompletionDate().filter(instant::isAfter).isPresent());
    }
}
