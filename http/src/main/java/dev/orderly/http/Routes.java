package dev.orderly.http;

import dev.orderly.http.intake.EdgeIntake;
import dev.orderly.http.intake.Route;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.route.RouteTable;
import dev.orderly.web.user.Authenticator;
import java.util.List;

/**
 * The routes of an edge, with the client that pushes their jobs and the authentication of their users.
 *
 * @param client pushes the jobs; every route's queue must be declared there before
 * @param users determines the user of a job
 */
public record Routes(List<Route> all, JobClient client, Authenticator users) {
    /** @throws IllegalArgumentException if a route's queue is not declared */
    public Routes {
        all = List.copyOf(all);
        for (Route route : all) {
            if (client.options(new QueueName(route.queue())).isEmpty()) {
                throw new IllegalArgumentException("Route " + route.path() + " leads to queue " + route.queue()
                        + ", which is not declared: declare the queue, or correct the route");
            }
        }
    }

    /** Routes whose jobs have no user. */
    public static Routes of(List<Route> all, JobClient client) {
        return new Routes(all, client, Authenticator.NONE);
    }

    /** @param trusted proxies in front of the edge */
    RouteTable table(TrustedProxies trusted) {
        EdgeIntake intake = new EdgeIntake(client, users, trusted, Time.system());
        return new RouteTable(all.stream().map(intake::endpoint).toList());
    }
}
