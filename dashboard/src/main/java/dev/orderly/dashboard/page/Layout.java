package dev.orderly.dashboard.page;

import dev.orderly.access.Role;
import dev.orderly.operate.Caller;
import dev.orderly.store.watch.StoreWatch.Outage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the frame of a page shows around its content, and what every template needs.
 *
 * @param base path under which the dashboard is mounted, without a slash at its end; empty for the root
 * @param path of the page below the base, with its query
 * @param viewer of the page
 * @param frame facts that are the same on every page
 * @param now the moment of the page's figures
 * @param outages parts of the store that do not answer
 */
public record Layout(String base, String path, Caller viewer, Frame frame, Instant now, List<Outage> outages) {
    /** The sections of the dashboard, in the order of the navigation. */
    private static final List<Section> SECTIONS = List.of(new Section("Overview", "/", "g o", Role.VIEWER),
            new Section("Rooms", "/rooms", "g r", Role.VIEWER), new Section("Queues", "/queues", "g q", Role.VIEWER),
            new Section("Jobs", "/jobs", "g j", Role.VIEWER),
            new Section("Batches", "/batches", "g b", Role.VIEWER),
            new Section("Schedules", "/schedules", "g s", Role.VIEWER),
            new Section("Nodes", "/nodes", "g n", Role.VIEWER), new Section("Live", "/live", "g l", Role.VIEWER),
            new Section("Audit log", "/audit", "g a", Role.ADMIN),
            new Section("Configuration", "/config", "g c", Role.OPERATOR),
            new Section("About", "/about", "g i", Role.VIEWER));

    /**
     * A section of the dashboard.
     *
     * @param keys that open it, one after the other
     * @param least the role that its page needs
     */
    public record Section(String name, String path, String keys, Role least) {}

    /**
     * Facts that are the same on every page.
     *
     * @param version of the program
     * @param signOut path of the page on which a session ends; null without one
     */
    public record Frame(String version, @Nullable String signOut, Assets assets) {}

    /** The sections that the viewer may open. */
    public List<Section> sections() {
        return SECTIONS.stream().filter(section -> viewer.may(section.least())).toList();
    }

    /** A link to a path below the base. */
    public String link(String to) {
        return base + to;
    }

    /** A link to a vendored file, which browsers keep until it changes. */
    public String asset(String name) {
        return base + frame.assets().link(name);
    }

    /** Whether a section is that of the page. */
    public boolean isCurrent(Section section) {
        String page = path.split("\\?", 2)[0];
        return section.path().equals("/")
                ? page.equals("/")
                : page.equals(section.path()) || page.startsWith(section.path() + "/");
    }
}
