package dev.orderly.config;

import dev.orderly.http.path.PathTemplate;
import dev.orderly.job.QueueName;
import java.util.List;

/**
 * A public route that pushes jobs.
 *
 * @param accepts media types; empty for all known types
 */
public record RouteConfig(PathTemplate post, QueueName queue, List<String> accepts) {
    public RouteConfig {
        accepts = List.copyOf(accepts);
    }
}
