package dev.orderly.dashboard.page;

import dev.orderly.dashboard.exchange.Viewer;
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
public record Layout(String base, String path, Viewer viewer, Frame frame, Instant now, List<Outage> outages) {
    /** The sections of the dashboard, in the order of the navigation. */
    public static final List<Section> SECTIONS = List.of(new Section("Overview", "/", "g o"),
            new Section("Rooms", "/rooms", "g r"), new Section("Queues", "/queues", "g q"),
            new Section("Jobs", "/jobs", "g j"), new Section("Schedules", "/schedules", "g s"),
            new Section("Nodes", "/nodes", "g n"), new Section("Live", "/live", "g l"),
            new Section("Audit log", "/audit", "g a"), new Section("Configuration", "/config", "g c"),
            new Section("About", "/about", "g i"));

    /**
     * A section of the dashboard.
     *
     * @param keys that open it, one after the other
     */
    public record Section(String name, String path, String keys) {}

    /**
     * Facts that are the same on every page.
     *
     * @param version of the program
     * @param signOut path of the page on which a session ends; null without one
     */
    public record Frame(String version, @Nullable String signOut, Assets assets) {}

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
