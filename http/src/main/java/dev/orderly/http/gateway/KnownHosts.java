package dev.orderly.http.gateway;

import dev.orderly.http.listener.Head;
import dev.orderly.http.listener.Site;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A site that answers only to the hosts of its origins, so that nobody gets past a room that names its hosts by asking for
 * another one. If an origin takes all hosts, or there is none, so does the site.
 */
public final class KnownHosts implements Site {
    private final Site inner;
    private final Set<String> hosts;

    private KnownHosts(Site inner, Set<String> hosts) {
        this.inner = inner;
        this.hosts = hosts;
    }

    /** The site, behind this check if there is anything to check. */
    public static Site of(List<Origin> origins, Site inner) {
        Set<String> hosts = new HashSet<>();
        origins.forEach(origin -> hosts.addAll(origin.hosts()));
        boolean all = origins.stream().anyMatch(origin -> origin.hosts().isEmpty());
        return all || hosts.isEmpty() ? inner : new KnownHosts(inner, hosts);
    }

    @Override
    public Match match(Head head) {
        if (!hosts.contains(head.host())) {
            throw new Refusal(ProblemType.MISDIRECTED, "No site of the host " + head.host()
                    + " is here: check the host of the URL. If it is right, the operator adds it to the hosts of an"
                    + " origin");
        }
        return inner.match(head);
    }
}
