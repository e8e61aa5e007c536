package dev.orderly.http.gateway;

import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Refuses hosts that no origin names, so that a room that names its hosts cannot be evaded through another host. If an
 * origin accepts all hosts, or there is no origin, every host passes.
 */
public final class KnownHosts implements EdgeHandler {
    private final Set<String> hosts;

    private KnownHosts(Set<String> hosts) {
        this.hosts = hosts;
    }

    /** The check for these origins; {@link EdgeHandler#NONE} if there is nothing to check. */
    public static EdgeHandler of(List<Origin> origins) {
        Set<String> hosts = new HashSet<>();
        origins.forEach(origin -> hosts.addAll(origin.hosts()));
        boolean all = origins.stream().anyMatch(origin -> origin.hosts().isEmpty());
        return all || hosts.isEmpty() ? NONE : new KnownHosts(hosts);
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        if (!hosts.contains(request.host())) {
            throw new ProblemException(ProblemType.MISDIRECTED, "No site of the host " + request.host()
                    + " is here: check the host of the URL. If it is right, the operator adds it to the hosts of an"
                    + " origin");
        }
        return next.match(request);
    }
}
