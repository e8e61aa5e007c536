package dev.orderly.room;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduled openings of a room mean at a moment.
 *
 * @param opening the opening in its lobby or under way, otherwise the next one, with the changes of operators; null
 *     after the last one
 * @param instead the moment at which {@code opening} was to begin before an operator moved it; null if it was not moved
 * @param cancelled the beginning of an opening that an operator cancelled, as long as visitors may come for it; null
 *     for none
 * @param admits whether visitors enter, as the limits allow
 */
public record OpeningStatus(Phase phase, @Nullable Opening opening, @Nullable ZonedDateTime instead,
        @Nullable ZonedDateTime cancelled, boolean admits) {
    /** The parts of the time of a room with openings. */
    public enum Phase {
        /** Before the lobby of the next opening. */
        BETWEEN,
        /** Visitors take places, or tickets for the draw, and nobody enters. */
        LOBBY,
        /** The lobby is over, and its draw is not made yet: nobody enters. */
        DRAWING,
        /** Visitors enter as the limits allow. */
        SELLING,
        /** After the last opening. */
        CLOSED
    }

    public OpeningStatus {
        Objects.requireNonNull(phase, "phase");
    }

    /** Whether a visitor without a ticket gets a place. */
    public boolean givesPlaces() {
        return admits || phase == Phase.LOBBY || phase == Phase.DRAWING;
    }

    /** The name of the opening: the moment at which it begins by the configuration; null after the last one. */
    public @Nullable Instant announced() {
        return instead != null ? instead.toInstant() : opening == null ? null : opening.opens().toInstant();
    }

    /**
     * The same with what the draws of the room say: a lobby begins when its draw is committed to, and one that has
     * begun lasts until its draw; nobody enters between the end of the lobby and the draw.
     */
    OpeningStatus with(DrawLedger draws) {
        Instant name = announced();
        if (opening == null || name == null || !opening.draw() || draws.of(name).filter(Draw::drawn).isPresent()) {
            return this;
        }
        boolean committed = draws.of(name).isPresent();
        Phase now = switch (phase) {
            case SELLING -> Phase.DRAWING;
            case LOBBY -> committed ? Phase.LOBBY : Phase.BETWEEN;
            case BETWEEN -> committed && draws.hasLobby() ? Phase.LOBBY : Phase.BETWEEN;
            case DRAWING, CLOSED -> phase;
        };
        return now == phase ? this : new OpeningStatus(now, opening, instead, cancelled, false);
    }

    /** The time until the opening; zero or less from then on, and null if none follows. */
    public @Nullable Duration untilOpening(Instant now) {
        Objects.requireNonNull(now, "now");
        return opening == null ? null : Duration.between(now, opening.opens().toInstant());
    }
}
