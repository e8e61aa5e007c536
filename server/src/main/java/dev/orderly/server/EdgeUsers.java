package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.flow.Quota;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.live.SocketUpgrade;
import dev.orderly.http.user.job.UserJobHandler;
import dev.orderly.http.user.job.UserJobStreams;
import dev.orderly.time.Time;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.LiveTimes;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;

/** The edge's endpoints for users: their jobs, and live connections. Started before the edge, closed after it. */
final class EdgeUsers implements AutoCloseable {
    private final Orderly orderly;
    private final Authenticator users;
    private final PageOrigins pages;
    private final UserJobStreams streams;
    private final LiveHandler door;

    /** @param streams upper bound of event streams of jobs */
    EdgeUsers(Orderly orderly, LiveAccess access, int streams) {
        this.orderly = orderly;
        this.users = access.users();
        this.pages = access.pages();
        this.streams = new UserJobStreams(orderly.engines().jobs(), Time.system(),
                new Quota.Limit(streams, UserJobStreams.LIMIT.each()));
        this.door = new LiveHandler(orderly.engines().live(), access, LiveTimes.DEFAULT, Time.system(),
                SocketUpgrade::of);
    }

    /** These handlers, and those for users where there are any. */
    EdgeHandlers with(EdgeHandlers others) {
        return users.equals(Authenticator.NONE)
                ? others
                : others.withLive(door).withJobs(new UserJobHandler(orderly.engines().jobs(), users, streams))
                        .withPages(pages);
    }

    void start() {
        streams.start();
        door.start();
    }

    @Override
    public void close() {
        door.close();
        streams.close();
    }
}
