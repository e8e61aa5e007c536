package dev.orderly.access;

import dev.orderly.job.QueueName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An access token without its secret.
 *
 * @param queues the queues of a worker by name, 1 to 100; empty for every other role, which has all queues
 * @param created in milliseconds
 * @param ends moment from which the token no longer counts, in milliseconds; null for no end
 */
public record AccessToken(TokenName name, Role role, Set<QueueName> queues, Instant created,
        @Nullable Instant ends) {
    private static final int QUEUES_MAX = 100;

    /** @throws IllegalArgumentException if queues and role contradict each other, or the end is not in the future */
    public AccessToken {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(role, "role");
        queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
        created = created.truncatedTo(ChronoUnit.MILLIS);
        ends = ends == null ? null : ends.truncatedTo(ChronoUnit.MILLIS);
        if (role == Role.WORKER && (queues.isEmpty() || queues.size() > QUEUES_MAX)) {
            throw new IllegalArgumentException("A worker's token is for 1 to " + QUEUES_MAX + " queues, not "
                    + queues.size() + ": name its queues");
        }
        if (role != Role.WORKER && !queues.isEmpty()) {
            throw new IllegalArgumentException("A token of role " + role.text()
                    + " is for all queues: leave the queues out, or use the role worker");
        }
        if (ends != null && !ends.isAfter(created)) {
            throw new IllegalArgumentException("The token would end at " + ends + ", before it is created: use a later"
                    + " end");
        }
    }

    public boolean isEnded(Instant now) {
        return ends != null && !now.isBefore(ends);
    }

    public Identity identity() {
        return new Identity(Identity.Kind.TOKEN, name.value(), role, queues);
    }
}
