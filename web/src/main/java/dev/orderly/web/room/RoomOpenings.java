package dev.orderly.web.room;

import dev.orderly.room.Draw;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomState;
import dev.orderly.room.gate.Room;
import dev.orderly.room.token.Ticket;
import dev.orderly.web.room.page.ShownOpening;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The openings of a room as visitors and their programs see them. */
final class RoomOpenings {
    private RoomOpenings() {}

    /**
     * @param status with an opening to come
     * @param ticket of the visitor; null for one without
     */
    static ShownOpening shown(Room room, OpeningStatus status, @Nullable Ticket ticket) {
        Opening opening = Objects.requireNonNull(status.opening());
        Instant now = room.now();
        boolean places = status.givesPlaces();
        ZonedDateTime lobby = places || opening.lobby().isZero() ? null : opening.opens().minus(opening.lobby());
        return new ShownOpening(opening.opens(), Duration.between(now, opening.opens().toInstant()), lobby,
                new ShownOpening.Change(status.instead(), status.cancelled()), crowd(room.state(), opening),
                opening.draw() ? draw(room.state(), status, ticket) : null);
    }

    private static ShownOpening.Draw draw(RoomState state, OpeningStatus status, @Nullable Ticket ticket) {
        Instant name = status.announced();
        Ticket.Entry entry = ticket == null ? null : ticket.entry();
        boolean drawing = status.phase() == OpeningStatus.Phase.DRAWING;
        return new ShownOpening.Draw(name == null ? null : state.draws().of(name).map(Draw::commitment).orElse(null),
                drawing, !drawing && entry != null && !entry.browser() && state.draws().open());
    }

    private static ShownOpening.@Nullable Crowd crowd(RoomState state, Opening opening) {
        Integer stock = opening.stock();
        long waiting = state.waiting();
        return stock == null || waiting <= stock ? null : new ShownOpening.Crowd(waiting, stock);
    }

    /**
     * The time until a visitor without a place should ask again: until places are given, five minutes at most, and not
     * at one moment for all.
     *
     * @param caller of the visitor
     */
    static Duration untilPlaces(Room room, Opening opening, String caller) {
        PollPolicy poll = room.options().poll();
        Duration until = Duration.between(room.now(), opening.lobbyFrom());
        Duration next = poll.untilOpening(until, caller.hashCode(), Long.MAX_VALUE);
        return Duration.ofSeconds(Math.max(1, next.toSeconds()));
    }

    /** The member for programs, behind a comma; empty for a room without openings. */
    static String member(Room room) {
        OpeningStatus status = room.opening();
        return status == null ? "" : ",\"opening\":" + json(room, status);
    }

    private static String json(Room room, OpeningStatus status) {
        Opening opening = status.opening();
        StringBuilder json = new StringBuilder(200).append("{\"phase\":\"")
                .append(status.phase().name().toLowerCase(Locale.ROOT)).append('"');
        if (opening != null) {
            ZonedDateTime closes = opening.closes();
            long in = Math.max(0, Duration.between(room.now(), opening.opens().toInstant()).toSeconds());
            json.append(",\"opens\":").append(text(opening.opens().toInstant())).append(",\"zone\":\"")
                    .append(opening.opens().getZone()).append("\",\"in\":").append(in).append(",\"lobby\":")
                    .append(text(opening.lobbyFrom())).append(",\"closes\":")
                    .append(text(closes == null ? null : closes.toInstant())).append(",\"stock\":")
                    .append(opening.stock()).append(",\"waiting\":").append(room.state().waiting())
                    .append(",\"draw\":").append(opening.draw());
        }
        return json.append(",\"instead\":").append(text(instant(status.instead()))).append(",\"cancelled\":")
                .append(text(instant(status.cancelled()))).append('}').toString();
    }

    private static @Nullable Instant instant(@Nullable ZonedDateTime time) {
        return time == null ? null : time.toInstant();
    }

    private static String text(@Nullable Instant moment) {
        return moment == null ? "null" : '"' + moment.toString() + '"';
    }
}
