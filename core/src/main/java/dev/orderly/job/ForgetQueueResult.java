package dev.orderly.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The answer to a request to forget a queue that is gone. */
public sealed interface ForgetQueueResult {
    QueueName queue();

    /** It is not listed any more. A push makes it exist again. */
    record Forgotten(QueueName queue) implements ForgetQueueResult {
        public Forgotten {
            Objects.requireNonNull(queue, "queue");
        }
    }

    /** Nothing is known of a queue of this name. */
    record Unknown(QueueName queue) implements ForgetQueueResult {
        public Unknown {
            Objects.requireNonNull(queue, "queue");
        }
    }

    /**
     * Refused, nothing changed: the queue holds jobs that have not ended or are dead letters, or live nodes declare it.
     *
     * @param view its counts
     * @param nodes live nodes that declare it, as far as the store knows
     */
    record InUse(QueueView view, Set<NodeId> nodes) implements ForgetQueueResult {
        public InUse {
            Objects.requireNonNull(view, "view");
            Objects.requireNonNull(nodes, "nodes");
            nodes = Set.copyOf(nodes);
        }

        /** Whether a queue with these counts holds jobs that have not ended, or dead letters. */
        public static boolean holdsJobs(QueueView view) {
            Objects.requireNonNull(view, "view");
            return view.waiting() + view.delayed() + view.running() + view.dead() > 0;
        }

        @Override
        public QueueName queue() {
            return view.queue();
        }

        /** The reasons and the remedies, for an operator. */
        public String text() {
            List<String> counts = new ArrayList<>();
            add(counts, view.waiting(), "waiting");
            add(counts, view.delayed(), "delayed");
            add(counts, view.running(), "running");
            add(counts, view.dead(), "dead");
            String text = "Queue " + queue() + " is not forgotten";
            if (!counts.isEmpty()) {
                text += ". It holds jobs (" + String.join(", ", counts) + "): let them end, or cancel them with orderly"
                        + " bulk cancel --queue " + queue();
            }
            return nodes.isEmpty()
                    ? text
                    : text + ". Live nodes declare it (" + names() + "): take it out of their configuration or program,"
                            + " and start them again";
        }

        private String names() {
            return nodes.stream().map(NodeId::value).sorted().collect(Collectors.joining(", "));
        }

        private static void add(List<String> counts, long number, String state) {
            if (number > 0) {
                counts.add(number + " " + state);
            }
        }
    }
}
