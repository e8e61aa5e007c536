package dev.orderly.config;

import dev.orderly.http.intake.Route;
import dev.orderly.job.QueueName;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.user.PageOrigins;
import java.util.List;
import java.util.Optional;

/**
 * A public route that pushes jobs.
 *
 * @param accepts media types; empty for all known types
 */
public record RouteConfig(PathTemplate post, QueueName queue, List<String> accepts, Route.Users users,
        Route.Group group, Route.Limits limits, PageOrigins origins) {
    public RouteConfig {
        accepts = List.copyOf(accepts);
    }

    /** The route of the edge. */
    public Route route() {
        return new Route(post.text(), queue.value(), accepts, users, group, limits, origins);
    }

    /** A warning for the operator, if any sender may push into the group of any other. */
    public Optional<String> warning() {
        return queue.isFifo() && group == Route.Group.PATH
                ? Optional.of("Route " + post.text() + ": anybody may push into anybody's group of " + queue
                        + ". If its senders sign in, set users: required and group: user, and drop {group}")
                : Optional.empty();
    }
}
