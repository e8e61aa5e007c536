package dev.orderly.dashboard.search;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupQuery;
import java.util.List;

/** Groups of a FIFO queue. */
public record GroupListPage(GroupQuery query, GroupPage found) implements Page {
    @Override
    public String title() {
        return "Groups of " + query.queue();
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Queues", "/queues"), new Link(query.queue().value(), "/queues/" + query.queue()));
    }

    @Override
    public String template() {
        return "search/groups.jte";
    }

    public List<GroupQuery.Order> orders() {
        return List.of(GroupQuery.Order.values());
    }

    /** This page in an order. */
    public String path(GroupQuery.Order order) {
        return "/queues/" + query.queue() + "/groups?order=" + order.text()
                + (query.prefix().isEmpty() ? "" : "&name=" + SearchForm.encoded(query.prefix()));
    }

    /** The next page by name. */
    public String next() {
        return path(query.order()) + "&after=" + SearchForm.encoded(String.valueOf(found.next()));
    }

    /** The jobs of a group. */
    public String jobs(GroupPage.Group group) {
        return "/jobs?queue=" + query.queue() + "&group=" + SearchForm.encoded(group.name());
    }

    /** What an empty page means. */
    public String nothing() {
        return switch (query.order()) {
            case HALTED -> "No group is halted.";
            case RETRYING -> "No group waits for a retry.";
            case RUNNING -> "No job of a group runs.";
            case LARGEST, OLDEST, NAME -> query.prefix().isEmpty()
                    ? "A group appears here with its first job, and leaves with its last."
                    : "No group begins with \"" + query.prefix() + "\".";
        };
    }
}
