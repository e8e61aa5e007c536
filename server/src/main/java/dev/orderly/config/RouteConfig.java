package dev.orderly.config;

import dev.orderly.job.QueueName;
import java.util.List;

/**
 * A public way to push.
 *
 * @param accepts media types; empty for all that are known
 */
public record RouteConfig(RoutePath post, QueueName queue, List<String> accepts) {
    public RouteConfig {
        accepts = List.copyOf(accepts);
    }
}
