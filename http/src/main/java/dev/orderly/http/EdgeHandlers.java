package dev.orderly.http;

import dev.orderly.http.gateway.EdgeHandler;
import dev.orderly.http.job.JobSite;
import dev.orderly.http.live.LiveDoor;
import dev.orderly.http.room.RoomGate;

/**
 * What an edge has beside routes and origins; {@link EdgeHandler#NONE} for what it has not.
 *
 * @param visitors what visitors may ask of rooms
 * @param rooms the rooms in front of routes and origins
 * @param live the live connections of users
 * @param jobs the jobs of users
 */
public record EdgeHandlers(EdgeHandler visitors, EdgeHandler rooms, EdgeHandler live, EdgeHandler jobs) {
    /** Nothing. */
    public static final EdgeHandlers NONE = new EdgeHandlers(EdgeHandler.NONE, EdgeHandler.NONE, EdgeHandler.NONE,
            EdgeHandler.NONE);

    public EdgeHandlers withRooms(RoomGate gate) {
        return new EdgeHandlers(gate.endpoints(), gate, live, jobs);
    }

    public EdgeHandlers withLive(LiveDoor door) {
        return new EdgeHandlers(visitors, rooms, door, jobs);
    }

    public EdgeHandlers withJobs(JobSite site) {
        return new EdgeHandlers(visitors, rooms, live, site);
    }
}
