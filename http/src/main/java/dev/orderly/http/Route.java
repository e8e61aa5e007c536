package dev.orderly.http;

import dev.orderly.http.intake.ContentTypes;
import dev.orderly.http.path.PathTemplate;
import dev.orderly.job.QueueName;
import java.util.List;

/**
 * A path of the public edge whose POST requests become jobs of one queue.
 *
 * <p>A segment of the form {@code {name}} matches any non-empty segment, and reaches the handler, percent-decoded, as a
 * param; {@code {group}} and {@code {dedupe}} are also the job's group and dedupe id. The query string of a request is
 * not part of the job.
 *
 * @param path such as {@code /checkout/{group}/{dedupe}}; not below {@code /.orderly}
 * @param queue a declared queue; a FIFO queue needs {@code {group}} in the path, a standard queue must not have it
 * @param accepts the accepted media types, a subset of {@link ContentTypes#ALL}; empty for all of them
 */
public record Route(String path, String queue, List<String> accepts) {
    /** @throws IllegalArgumentException naming the route, the rule it breaks and the remedy */
    public Route {
        accepts = List.copyOf(accepts);
        PathTemplate pattern = PathTemplate.parse(path);
        boolean fifo = new QueueName(queue).isFifo();
        boolean group = pattern.names().contains("group");
        if (fifo && !group) {
            throw new IllegalArgumentException("Route " + path + " leads to FIFO queue " + queue
                    + " without a group: put {group} into the path, or use a queue whose name does not end in .fifo");
        }
        if (!fifo && group) {
            throw new IllegalArgumentException("Route " + path + " has {group}, but " + queue
                    + " is a standard queue: rename the segment, or use a queue whose name ends in .fifo");
        }
        if (path.equals("/.orderly") || path.startsWith("/.orderly/")) {
            throw new IllegalArgumentException("Route " + path + " lies below /.orderly, which is reserved: move it");
        }
        ContentTypes.check(path, accepts);
    }

    /** A route that accepts every content type. */
    public static Route of(String path, String queue) {
        return new Route(path, queue, List.of());
    }
}
