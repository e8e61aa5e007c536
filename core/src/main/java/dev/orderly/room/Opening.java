package dev.orderly.room;

import dev.orderly.text.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled opening of a room: the window in which visitors enter, and the lobby before it, in which they only take
 * places.
 *
 * @param opens the moment from which visitors enter
 * @param lobby the time before {@code opens} from which visitors take places
 * @param closes the moment from which nobody new enters; null for an opening without an end
 * @param stock about how many visitors there is something for; null if that is not known
 * @param draw whether the places of the lobby are drawn, rather than those of the order of arrival
 * @param beacon the public value that enters the draw; null for none
 */
public record Opening(ZonedDateTime opens, Duration lobby, @Nullable ZonedDateTime closes, @Nullable Integer stock,
        boolean draw, @Nullable Beacon beacon) {
    /** The longest lobby. */
    public static final Duration LOBBY_MAX = Duration.ofHours(24);

    private static final Pattern TIME = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d(?::\\d\\d)?) ([A-Za-z0-9+:/_-]{1,60})");

    /** @throws IllegalArgumentException if the opening ends before it begins, or a value is out of its bounds */
    public Opening {
        Objects.requireNonNull(opens, "opens");
        if (Objects.requireNonNull(lobby, "lobby").isNegative() || lobby.compareTo(LOBBY_MAX) > 0) {
            throw new IllegalArgumentException("A lobby of " + DurationText.of(lobby) + ": use 0 to "
                    + DurationText.of(LOBBY_MAX));
        }
        if (closes != null && !closes.toInstant().isAfter(opens.toInstant())) {
            throw new IllegalArgumentException("The opening at " + text(opens) + " closes at " + text(closes)
                    + ", which is not later: name a later end, or none");
        }
        if (stock != null && stock < 1) {
            throw new IllegalArgumentException("A stock of " + stock + ": use 1 or more, or none");
        }
        if (draw && lobby.isZero()) {
            throw new IllegalArgumentException("The opening at " + text(opens) + " draws the places of its lobby, and"
                    + " has none: add a lobby, such as 30m, or remove the draw");
        }
        if (beacon != null && !draw) {
            throw new IllegalArgumentException("The opening at " + text(opens) + " has a beacon and no draw: add"
                    + " draw: true, or remove the beacon");
        }
        if (beacon != null) {
            beacon.round(); // an address of anything else is refused
        }
    }

    /** An opening whose places are those of the order of arrival. */
    public Opening(ZonedDateTime opens, Duration lobby, @Nullable ZonedDateTime closes, @Nullable Integer stock) {
        this(opens, lobby, closes, stock, false, null);
    }

    /** This opening with a draw of the places of its lobby. */
    public Opening drawn(@Nullable Beacon value) {
        return new Opening(opens, lobby, closes, stock, true, value);
    }

    /**
     * Refuses a beacon that may be known before the end of the lobby.
     *
     * @throws IllegalArgumentException if it is known before the opening begins
     */
    Opening checkBeacon() {
        if (beacon != null && beacon.at().isBefore(opens.toInstant())) {
            throw new IllegalArgumentException("The beacon of the draw is known at "
                    + text(beacon.at().atZone(opens.getZone())) + ", before the opening at " + text(opens)
                    + ": name a beacon of a later moment, since who knows it in the lobby could choose when to come");
        }
        return this;
    }

    /**
     * A time of a wall clock with its zone, such as {@code 2027-03-01T10:00 Europe/Berlin}.
     *
     * @throws IllegalArgumentException for any other text, for a zone that is not known, and for a time that does not
     *     exist or occurs twice on that day
     */
    public static ZonedDateTime parseTime(String text) {
        Matcher form = TIME.matcher(Objects.requireNonNull(text, "text"));
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no time with a zone: use a time such as"
                    + " 2027-03-01T10:00 Europe/Berlin");
        }
        ZoneId zone = zone(form.group(3));
        LocalDateTime local;
        try {
            local = LocalDateTime.parse(form.group(1) + "T" + form.group(2));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no day and time: use a time such as"
                    + " 2027-03-01T10:00 Europe/Berlin", e);
        }
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
            var gap = zone.getRules().getTransition(local);
            throw new IllegalArgumentException(local + " does not exist in " + zone + ", where clocks go from "
                    + gap.getDateTimeBefore() + " to " + gap.getDateTimeAfter() + ": name a time before or after that");
        }
        if (offsets.size() > 1) {
            throw new IllegalArgumentException(local + " occurs twice in " + zone + ", since clocks go back on that"
                    + " day: name its offset in place of the zone, "
                    + offsets.stream().map(offset -> local + " " + offset).collect(Collectors.joining(" or ")));
        }
        return local.atZone(zone);
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no time zone: use one such as Europe/Berlin, or an"
                    + " offset such as +01:00", e);
        }
    }

    /** The form that {@link #parseTime} reads; a time that occurs twice has its offset in place of the zone. */
    public static String text(ZonedDateTime time) {
        boolean twice = time.getZone().getRules().getValidOffsets(time.toLocalDateTime()).size() > 1;
        return time.toLocalDateTime() + " " + (twice ? time.getOffset() : time.getZone());
    }

    /** The moment from which visitors take places. */
    public Instant lobbyFrom() {
        return opens.toInstant().minus(lobby);
    }

    /** Whether the opening is over. */
    boolean isOver(Instant now) {
        return closes != null && !now.isBefore(closes.toInstant());
    }
}
