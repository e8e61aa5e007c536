package dev.orderly.http.live;

import dev.orderly.http.gateway.RequestPath;
import dev.orderly.http.listener.Head;
import dev.orderly.http.listener.Site;

/** A site with {@code /.orderly/live} in front. Thread-safe, never blocks. */
public final class LiveSite implements Site {
    private static final String PATH = "/.orderly/live";

    private final Site inner;
    private final LiveDoor door;

    public LiveSite(Site inner, LiveDoor door) {
        this.inner = inner;
        this.door = door;
    }

    @Override
    public Match match(Head head) {
        return head.path().startsWith("/") && RequestPath.of(head.path()).wire().equals(PATH)
                ? door.match(head)
                : inner.match(head);
    }
}
