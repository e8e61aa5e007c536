package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.flow.Quota;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.job.JobSite;
import dev.orderly.http.job.JobStreams;
import dev.orderly.http.live.LiveAccess;
import dev.orderly.http.live.LiveDoor;
import dev.orderly.http.live.LiveTimes;
import dev.orderly.http.user.Authenticator;
import dev.orderly.time.Time;

/** The edge's endpoints for users: their jobs, and live connections. Started before the edge, closed after it. */
final class UserSurface implements AutoCloseable {
    private final Orderly orderly;
    private final Authenticator users;
    private final JobStreams streams;
    private final LiveDoor door;

    /** @param streams upper bound of event streams of jobs */
    UserSurface(Orderly orderly, LiveAccess access, int streams) {
        this.orderly = orderly;
        this.users = access.users();
        this.streams = new JobStreams(orderly.jobs(), Time.system(),
                new Quota.Limit(streams, JobStreams.LIMIT.each()));
        this.door = new LiveDoor(orderly.live(), access, LiveTimes.DEFAULT, Time.system());
    }

    /** These handlers, and those for users where there are any. */
    EdgeHandlers with(EdgeHandlers others) {
        return users.equals(Authenticator.NONE)
                ? others
                : others.withLive(door).withJobs(new JobSite(orderly.jobs(), users, streams));
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
