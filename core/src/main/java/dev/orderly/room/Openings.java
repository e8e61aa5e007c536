package dev.orderly.room;

import dev.orderly.room.OpeningStatus.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The scheduled openings of a room. Outside of them, visitors with a pass stay inside, and nobody else enters or takes
 * a place, unless the room is open between them.
 */
public final class Openings {
    /** A room without openings: always open. */
    public static final Openings NONE = new Openings(List.of(), true);
    /** The greatest number of openings. */
    public static final int MOST = 100;
    /** The shortest time from the announcement of an earlier opening until it begins. */
    public static final Duration NOTICE = Duration.ofMinutes(5);

    /** How long visitors are told of a cancelled opening without an end. */
    private static final Duration TOLD = Duration.ofDays(1);

    private final List<Opening> windows;
    private final boolean openBetween;

    /** An opening with its change by an operator, if there is one. */
    private record Planned(Opening opening, @Nullable ZonedDateTime instead) {}

    /**
     * @param windows up to {@link #MOST}, in any order
     * @param openBetween whether the room is open, as if it had no openings, before each lobby and after the last end
     * @throws IllegalArgumentException if two overlap, or there are too many
     */
    public Openings(List<Opening> windows, boolean openBetween) {
        this.windows = ordered(windows);
        this.openBetween = openBetween;
        if (windows.size() > MOST) {
            throw new IllegalArgumentException(windows.size() + " openings: use at most " + MOST);
        }
    }

    private static List<Opening> ordered(List<Opening> windows) {
        List<Opening> ordered = windows.stream().sorted(Comparator.comparing(Opening::lobbyFrom)).toList();
        ordered.forEach(Opening::checkBeacon);
        for (int n = 1; n < ordered.size(); n++) {
            Opening before = ordered.get(n - 1);
            Opening next = ordered.get(n);
            if (!before.isOver(next.lobbyFrom())) {
                throw new IllegalArgumentException("The opening at " + Opening.text(before.opens()) + " has "
                        + (before.closes() == null ? "no end" : "its end at " + Opening.text(before.closes()))
                        + ", and the lobby of the one at " + Opening.text(next.opens())
                        + " begins before that: name an earlier end, or a shorter lobby");
            }
        }
        return ordered;
    }

    /** The openings, by time. */
    public List<Opening> windows() {
        return windows;
    }

    /** Whether the room is open before, between and after its openings. */
    public boolean openBetween() {
        return openBetween;
    }

    public boolean isEmpty() {
        return windows.isEmpty();
    }

    /** What the openings with these changes mean at a moment. */
    public OpeningStatus at(List<OpeningChange> changes, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(changes, "changes");
        Planned next = planned(changes).stream().filter(each -> !each.opening.isOver(now)).findFirst().orElse(null);
        ZonedDateTime cancelled = cancelled(changes, now);
        if (next == null) {
            return new OpeningStatus(openBetween ? Phase.BETWEEN : Phase.CLOSED, null, null, cancelled, openBetween);
        }
        Opening opening = next.opening;
        Phase phase = !now.isBefore(opening.opens().toInstant())
                ? Phase.SELLING
                : now.isBefore(opening.lobbyFrom()) ? Phase.BETWEEN : Phase.LOBBY;
        return new OpeningStatus(phase, opening, next.instead, cancelled,
                phase == Phase.SELLING || (phase == Phase.BETWEEN && openBetween));
    }

    private List<Planned> planned(List<OpeningChange> changes) {
        if (changes.isEmpty()) {
            return windows.stream().map(window -> new Planned(window, null)).toList();
        }
        List<Planned> planned = new ArrayList<>();
        for (Opening window : windows) {
            OpeningChange change = change(changes, window).orElse(null);
            if (change == null || !change.cancelled()) {
                planned.add(planned(window, change));
            }
        }
        planned.sort(Comparator.comparing(each -> each.opening.opens().toInstant()));
        return planned;
    }

    private static Planned planned(Opening window, @Nullable OpeningChange change) {
        return change == null || change.opens() == null
                ? new Planned(window, null)
                : new Planned(moved(window, change.opens(), change.closes()), window.opens());
    }

    /** Whether an opening of this name takes place and is not over. */
    public boolean isToCome(Instant announced, List<OpeningChange> changes, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(changes, "changes");
        Objects.requireNonNull(announced, "announced");
        return planned(changes).stream().anyMatch(each -> announced(each).equals(announced) && each.opening.draw()
                && !each.opening.isOver(now));
    }

    private static Optional<OpeningChange> change(List<OpeningChange> changes, Opening window) {
        return changes.stream().filter(change -> change.announced().equals(window.opens().toInstant())).findFirst();
    }

    /**
     * A later configuration may end an opening before the time to which it was moved: then it lasts as long as
     * configured.
     */
    private static Opening moved(Opening window, ZonedDateTime opens, @Nullable ZonedDateTime closes) {
        ZonedDateTime end = closes == null ? window.closes() : closes;
        if (end != null && !end.toInstant().isAfter(opens.toInstant())) {
            end = opens.plus(Duration.between(window.opens(), end));
        }
        return new Opening(opens, window.lobby(), end, window.stock(), window.draw(), window.beacon());
    }

    private @Nullable ZonedDateTime cancelled(List<OpeningChange> changes, Instant now) {
        return windows.stream()
                .flatMap(window -> change(changes, window).filter(OpeningChange::cancelled)
                        .map(change -> planned(window, change).opening).stream())
                .filter(window -> now.isBefore(window.closes() == null
                        ? window.opens().toInstant().plus(TOLD)
                        : window.closes().toInstant()))
                .map(Opening::opens).min(Comparator.naturalOrder()).orElse(null);
    }

    /**
     * The changes after an operator has moved the next opening.
     *
     * @param opens the new time
     * @param closes the new end; null to leave it
     * @throws IllegalArgumentException if there is no opening that has not begun, if the new time is earlier than
     *     announced and nearer than {@link #NOTICE}, or if the openings would overlap
     */
    public List<OpeningChange> move(List<OpeningChange> changes, ZonedDateTime opens, @Nullable ZonedDateTime closes,
            Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(opens, "opens");
        Objects.requireNonNull(changes, "changes");
        Planned next = next(changes, now);
        Instant told = next.opening.opens().toInstant();
        Instant wanted = opens.toInstant();
        if (wanted.isBefore(told) && wanted.isBefore(now.plus(NOTICE))) {
            throw new IllegalArgumentException("The opening is announced for " + Opening.text(next.opening.opens())
                    + ", and who comes for that would be late: open at " + now.plus(NOTICE) + " or later");
        }
        if (!wanted.isAfter(now)) {
            throw new IllegalArgumentException(Opening.text(opens) + " is over: name a time to come");
        }
        ZonedDateTime end = closes == null ? next.opening.closes() : closes;
        if (end != null && !end.toInstant().isAfter(wanted)) {
            throw new IllegalArgumentException("The opening would end at " + Opening.text(end) + ", before it begins:"
                    + " name a later end too");
        }
        ZonedDateTime moved = closes == null ? movedEnd(changes, announced(next)) : closes;
        List<OpeningChange> after = with(changes, new OpeningChange(announced(next), opens, moved));
        ordered(planned(after).stream().map(Planned::opening).toList());
        return after;
    }

    /** The end that an operator has set; null if it is the configured one, which the configuration may still change. */
    private static @Nullable ZonedDateTime movedEnd(List<OpeningChange> changes, Instant announced) {
        return changes.stream().filter(change -> change.announced().equals(announced)).findFirst()
                .map(OpeningChange::closes).orElse(null);
    }

    /**
     * The changes after an operator has cancelled the next opening.
     *
     * @throws IllegalArgumentException if there is no opening that has not begun
     */
    public List<OpeningChange> cancel(List<OpeningChange> changes, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(changes, "changes");
        Instant announced = announced(next(changes, now));
        return with(changes, changes.stream().filter(change -> change.announced().equals(announced)).findFirst()
                .map(moved -> new OpeningChange(announced, moved.opens(), moved.closes(), true))
                .orElseGet(() -> OpeningChange.cancelled(announced)));
    }

    /**
     * The moment at which the next opening begins, and from which it can no longer be changed.
     *
     * @throws IllegalArgumentException if there is no opening that has not begun
     */
    public Instant begins(List<OpeningChange> changes, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(changes, "changes");
        return next(changes, now).opening.opens().toInstant();
    }

    private Planned next(List<OpeningChange> changes, Instant now) {
        return planned(changes).stream().filter(each -> each.opening.opens().toInstant().isAfter(now)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The room has no opening to come: add one to openings"
                        + " in the configuration. An opening that has begun is ended by the mode drain or hold"));
    }

    private static Instant announced(Planned opening) {
        return (opening.instead == null ? opening.opening.opens() : opening.instead).toInstant();
    }

    /** The change in place of an earlier one of its opening; those of openings that are not configured any more go. */
    private List<OpeningChange> with(List<OpeningChange> changes, OpeningChange change) {
        List<OpeningChange> kept = new ArrayList<>(changes.stream()
                .filter(each -> !each.announced().equals(change.announced())
                        && windows.stream().anyMatch(window -> each.announced().equals(window.opens().toInstant())))
                .toList());
        kept.add(change);
        return List.copyOf(kept);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Openings that && windows.equals(that.windows) && openBetween == that.openBetween;
    }

    @Override
    public int hashCode() {
        return Objects.hash(windows, openBetween);
    }

    @Override
    public String toString() {
        return windows + (openBetween ? " open between" : " closed between");
    }
}
