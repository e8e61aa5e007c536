package dev.orderly.room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The draws of a room, and the lobby of the one that is under way. Each step is made once: a step that does not follow
 * from the present state returns this ledger. The store holds its lock of the room around each.
 *
 * @param draws in the order of their commitments; only the last may not be drawn
 * @param open whether the lobby of the last draw takes tickets
 * @param base the last place before the lobby; -1 as long as nobody came
 * @param end the last place of the closed lobby; -1 before the close, and after the draw
 * @param drawn the number of lobbies of the room that have ended with a draw or without: with each, places may have
 *     changed, and visitors became present in line
 */
public record DrawLedger(List<Draw> draws, boolean open, long base, long end, int drawn) {
    /** A room without draws. */
    public static final DrawLedger NONE = new DrawLedger(List.of(), false, -1, -1, 0);

    public DrawLedger {
        draws = List.copyOf(draws);
    }

    /** The draws as stores keep them, with their seeds; null for none. */
    public @Nullable String stored() {
        return draws.isEmpty() ? null : draws.stream().map(Draw::stored).collect(Collectors.joining("\n"));
    }

    /** The draws of a text of {@link #stored}. */
    public static List<Draw> ofStored(@Nullable String text) {
        return text == null ? List.of() : Arrays.stream(text.split("\n", -1)).map(Draw::ofStored).toList();
    }

    /** This ledger without the seeds of draws that are not made yet. */
    public DrawLedger published() {
        return draws.isEmpty()
                ? this
                : new DrawLedger(draws.stream().map(Draw::published).toList(), open, base, end, drawn);
    }

    /** The draw of an opening. */
    public Optional<Draw> of(Instant opening) {
        return draws.stream().filter(draw -> draw.opening().equals(opening)).findFirst();
    }

    /** The draw that is not made yet. */
    public Optional<Draw> pending() {
        return draws.isEmpty() || draws.getLast().drawn() ? Optional.empty() : Optional.of(draws.getLast());
    }

    private Optional<Draw> pending(Instant opening) {
        return pending().filter(draw -> draw.opening().equals(opening));
    }

    /** Whether a lobby has begun whose draw is not made yet. */
    public boolean hasLobby() {
        return base >= 0;
    }

    /** Whether the ticket of this number waits for the draw. */
    public boolean isInLobby(long issued) {
        return base >= 0 && issued > base && (end < 0 || issued <= end);
    }

    /** The draw, already made, in which the ticket of this number was. */
    public Optional<Draw> drawOf(long epoch, long issued) {
        return draws.stream().filter(draw -> draw.drawn() && draw.has(epoch, issued)).findFirst();
    }

    /** Commits to a draw, unless another one is under way or the opening has one. */
    public DrawLedger commit(RoomName room, Instant opening, @Nullable Beacon beacon, String seed) {
        if (pending().isPresent() || of(opening).isPresent()) {
            return this;
        }
        List<Draw> more = new ArrayList<>(draws);
        more.add(Draw.committed(room, opening, beacon, seed));
        return new DrawLedger(more, true, -1, -1, drawn);
    }

    /** The lobby has its first ticket. */
    public DrawLedger begun(long length) {
        return open && base < 0 ? new DrawLedger(draws, true, length, -1, drawn) : this;
    }

    /** Stamps the end of the lobby: tickets from here on stand behind the draw. */
    public DrawLedger close(Instant opening, long length) {
        return open && pending(opening).isPresent()
                ? new DrawLedger(draws, false, base < 0 ? length : base, length, drawn)
                : this;
    }

    /** Publishes the root of the closed lobby. */
    public DrawLedger root(Instant opening, long epoch, long count, String root) {
        return pending(opening).isPresent() && !open && end >= 0 && count == end - base
                && !draws.getLast().isClosed()
                        ? replaced(draw -> draw.closed(epoch, base, count, root))
                        : this;
    }

    /** Records the value of the beacon, after the root only. */
    public DrawLedger value(Instant opening, String value) {
        return pending(opening).filter(Draw::awaitsValue).isPresent()
                ? replaced(draw -> draw.withValue(value))
                : this;
    }

    /** Publishes the seed: from now on tickets of the lobby have the drawn places. */
    public DrawLedger reveal(Instant opening) {
        boolean due = pending(opening).filter(draw -> draw.isClosed() && !draw.awaitsValue()).isPresent();
        return due ? new DrawLedger(replaced(Draw::revealed).draws, false, -1, -1, drawn + 1) : this;
    }

    /** Drops a draw that will not be made: tickets of its lobby have the places of the order of arrival. */
    public DrawLedger drop(Instant opening) {
        return pending(opening).isPresent()
                ? new DrawLedger(draws.subList(0, draws.size() - 1), false, -1, -1, hasLobby() ? drawn + 1 : drawn)
                : this;
    }

    /**
     * The ledger of a new epoch, whose line is empty. A lobby begins anew under the same commitment, one that was
     * closed without a root is empty, and published values stay. Earlier draws concern nobody any more.
     */
    public DrawLedger ofNewEpoch() {
        List<Draw> kept = draws.isEmpty() ? List.of() : List.of(draws.getLast());
        long none = !open && end >= 0 ? 0 : -1;
        return new DrawLedger(kept, open, none, none, drawn);
    }

    private DrawLedger replaced(UnaryOperator<Draw> change) {
        List<Draw> changed = new ArrayList<>(draws);
        changed.set(draws.size() - 1, change.apply(draws.getLast()));
        return new DrawLedger(changed, open, base, end, drawn);
    }
}
