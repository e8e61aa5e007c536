package dev.orderly.dashboard.room;

import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.dashboard.page.StoreState;
import dev.orderly.operate.OperationSpec;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.Room;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.IssuedSeries;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The series of invitations of rooms: what was issued by the audit log, and what became of it by the state of the room.
 * The audit log is read for a room at most every {@value #FRESH_SECONDS} seconds, however many pages are open.
 */
public final class InvitationSeries {
    /** The most series of a room. */
    static final int MOST = 20;
    static final int FRESH_SECONDS = 20;

    private final AuditLog audit;
    private final StoreState store;
    private final Time time;
    private final ConcurrentHashMap<RoomName, Read> kept = new ConcurrentHashMap<>();

    private record Read(List<IssuedSeries> issued, long end) {}

    /**
     * A series.
     *
     * @param used invitations that gave a place
     */
    public record Row(IssuedSeries issued, int used, boolean revoked, boolean ended) {
        /** Whether invitations of the series may give further places. */
        public boolean isOpen() {
            return !revoked && !ended && used < issued.count();
        }

        /** How the series stands, in a word or two. */
        public String words() {
            return revoked ? "revoked" : ended ? "ended" : isOpen() ? "open" : "all used";
        }
    }

    InvitationSeries(AuditLog audit, StoreState store, Time time) {
        this.audit = audit;
        this.store = store;
        this.time = time;
    }

    /** The newest series of a room, the newest first; as last read, while the store does not answer. May block. */
    List<Row> of(Room room) {
        Instant now = time.now();
        return issued(room.name(), now).stream().map(each -> {
            long id = InvitationId.parse(each.series()).orElseThrow();
            return new Row(each, room.invited(id), room.isRevoked(id), !now.isBefore(each.until()));
        }).toList();
    }

    private List<IssuedSeries> issued(RoomName room, Instant now) {
        Read read = kept.get(room);
        if (read != null && !time.reached(read.end)) {
            return read.issued;
        }
        List<IssuedSeries> issued = store.fromJobs(() -> read(room, now))
                .orElse(read == null ? List.of() : read.issued);
        kept.put(room, new Read(issued, time.deadline(Duration.ofSeconds(FRESH_SECONDS))));
        return issued;
    }

    private List<IssuedSeries> read(RoomName room, Instant now) {
        return audit.list(new AuditQuery(null, null, OperationSpec.INVITE.id(), "room " + room,
                now.minus(Room.INVITATION_LIFE), null, MOST)).stream()
                .flatMap(entry -> Stream.ofNullable(entry.after())).map(IssuedSeries::parse)
                .flatMap(Optional::stream).toList();
    }

    /** Lets the next page show what was issued just now. */
    void changed(RoomName room) {
        kept.remove(room);
    }
}
