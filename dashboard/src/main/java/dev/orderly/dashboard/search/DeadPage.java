package dev.orderly.dashboard.search;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.job.search.DeadLetterGroups;
import java.util.List;

/** The dead letters of a queue by error. */
public record DeadPage(String queue, DeadLetterGroups groups) implements Page {
    @Override
    public String title() {
        return "Dead letters of " + queue;
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Queues", "/queues"), new Link(queue, "/queues/" + queue));
    }

    @Override
    public String template() {
        return "search/dead.jte";
    }

    /** The path of a page about the dead letters with an error, or about all of the queue. */
    public String path(String base, DeadLetterGroups.Group group) {
        return base + (base.contains("?") ? "&" : "?") + "queue=" + SearchForm.encoded(queue)
                + "&state=dead&error=" + group.error();
    }

    /** As {@link #path}, for all dead letters of the queue. */
    public String all(String base) {
        return base + (base.contains("?") ? "&" : "?") + "queue=" + SearchForm.encoded(queue) + "&state=dead";
    }

    /** The number of dead letters in the groups. */
    public long count() {
        return groups.groups().stream().mapToLong(DeadLetterGroups.Group::count).sum();
    }
}
