package dev.orderly.dashboard.update;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.operate.Caller;
import dev.orderly.time.Time;
import dev.orderly.web.message.EventStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.json.JsonMapper;

/** A page that somebody looks at, with the regions that were sent last. */
final class WatchedPage {
    static final Duration LONGEST = Duration.ofMinutes(5);
    private static final byte[] BEAT = "event: beat\ndata:\n\n".getBytes(StandardCharsets.UTF_8);

    private final Key key;
    private final List<Viewing> viewings = new CopyOnWriteArrayList<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private Map<String, String> sent = Map.of();

    /** What makes two viewers' pages equal. */
    record Key(String path, Map<String, List<String>> query, Role role) {
        static Key of(DashboardRequest page) {
            return new Key(page.path(), page.query(), page.viewer().identity().role());
        }
    }

    /** A stream of one viewer. */
    static final class Viewing {
        private final EventStream stream;
        private final long end;
        private boolean fresh = true;

        /** @param end monotonic time at which it ends */
        Viewing(EventStream stream, long end) {
            this.stream = stream;
            this.end = end;
        }
    }

    WatchedPage(Key key) {
        this.key = key;
    }

    /** The page for any viewer of the role: regions have no facts about a single viewer. */
    DashboardRequest request() {
        return new DashboardRequest("GET", key.path, key.query, Map.of(),
                new Caller(new Identity(Identity.Kind.LOCAL, "", key.role), "", null));
    }

    void add(Viewing viewing) {
        viewings.add(viewing);
    }

    /** @return whether no viewer is left */
    boolean remove(Viewing viewing) {
        viewings.remove(viewing);
        return viewings.isEmpty();
    }

    /** Begins a round; false if one is under way. */
    boolean begin() {
        return busy.compareAndSet(false, true);
    }

    /** Ends the round. */
    void end() {
        busy.set(false);
    }

    /** Sends the regions that changed, and all of them to new viewers. Within a round only. */
    void send(Map<String, String> regions, Time time) {
        byte[] all = null;
        byte[] changed = null;
        for (Viewing viewing : viewings) {
            if (viewing.fresh) {
                all = all == null ? events(regions, Map.of()) : all;
            } else {
                changed = changed == null ? events(regions, sent) : changed;
            }
            byte[] events = viewing.fresh ? all : changed;
            viewing.fresh = false;
            viewing.stream.write(events == null || events.length == 0 ? BEAT : events);
            if (time.reached(viewing.end)) {
                viewing.stream.close();
            }
        }
        sent = regions;
    }

    /** Sends the regions of the frame that changed, and why the rest is not up to date. Within a round only. */
    void sendFailure(Map<String, String> frame, String reason) {
        String failed = text("failed", Map.of("reason", reason));
        byte[] changed = (text(frame, sent) + failed).getBytes(StandardCharsets.UTF_8);
        byte[] all = (text(frame, Map.of()) + failed).getBytes(StandardCharsets.UTF_8);
        viewings.forEach(viewing -> viewing.stream.write(viewing.fresh ? all : changed));
        Map<String, String> now = new HashMap<>(sent);
        now.putAll(frame);
        sent = now;
    }

    void close() {
        viewings.forEach(viewing -> viewing.stream.close());
    }

    private static byte[] events(Map<String, String> regions, Map<String, String> before) {
        return text(regions, before).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Map<String, String> regions, Map<String, String> before) {
        StringBuilder events = new StringBuilder();
        regions.forEach((id, html) -> {
            if (!html.equals(before.get(id))) {
                events.append(text("region", Map.of("id", id, "html", html)));
            }
        });
        return events.toString();
    }

    private static String text(String name, Map<String, String> data) {
        return "event: " + name + "\ndata: " + JsonMapper.shared().writeValueAsString(data) + "\n\n";
    }
}
