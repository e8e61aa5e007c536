package dev.orderly.access;

import dev.orderly.job.QueueName;
import dev.orderly.text.StoredText;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The verified identity of a request to the API.
 *
 * @param name the name of the token, the user of the server's process for its local credential, or the user that a
 *     trusted proxy or the application named; at most 200 characters
 * @param queues the queues of a worker; empty for every other role, which has all queues
 */
public record Identity(Kind kind, String name, Role role, Set<QueueName> queues) {
    private static final int NAME_MAX = 200;

    /** The proof behind an identity. */
    public enum Kind {
        /** An access token, or a session that began with it. */
        TOKEN,
        /** The local credential of the server: a file that only its own user can read. */
        LOCAL,
        /** A header of a trusted proxy. */
        PROXY,
        /** The security of the application that the dashboard is part of. */
        APPLICATION;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Identity {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(role, "role");
        name = StoredText.repaired(name, NAME_MAX);
        queues = Set.copyOf(queues);
    }

    /** An identity for all queues. */
    public Identity(Kind kind, String name, Role role) {
        this(kind, name, role, Set.of());
    }

    /** Whether the identity may use a queue. */
    public boolean mayUse(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        return role != Role.WORKER || queues.contains(queue);
    }

    @Override
    public String toString() {
        return kind.text() + " " + name;
    }
}
