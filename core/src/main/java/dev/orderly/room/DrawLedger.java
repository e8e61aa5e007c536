package dev.orderly.room;

import dev.orderly.room.Draw.Lobby;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The draws of a room, and the lobby of the one that is under way. Each step is made once: a step that does not follow
 * from the present state returns this ledger. The store holds its lock of the room around each.
 *
 * @param draws in the order of their commitments; only the last may not be drawn
 * @param open whether the lobby of the last draw takes tickets
 * @param bases the last place before the lobby, of each line by its number; empty as long as nobody came
 * @param ends the last place of the closed lobby, of each line by its number; empty before the close, and after the
 *     draw. A line that is missing has no ticket of the lobby
 * @param drawn the number of lobbies of the room that have ended with a draw or without: with each, places may have
 *     changed, and visitors became present in line
 */
public record DrawLedger(List<Draw> draws, boolean open, List<Long> bases, List<Long> ends, int drawn) {
    /** A room without draws. */
    public static final DrawLedger NONE = new DrawLedger(List.of(), false, List.of(), List.of(), 0);

    public DrawLedger {
        draws = List.copyOf(draws);
        bases = List.copyOf(bases);
        ends = List.copyOf(ends);
    }

    /** The ledger of these columns of a store; {@code bases} and {@code ends} are those of tiers, see {@link #text}. */
    public static DrawLedger of(@Nullable String draws, boolean open, long base, long end, int drawn,
            @Nullable String bases, @Nullable String ends) {
        return new DrawLedger(ofStored(draws), open, places(base, bases), places(end, ends), drawn);
    }

    private static List<Long> places(long first, @Nullable String tiers) {
        return first < 0
                ? List.of()
                : Stream.concat(Stream.of(first), tiers == null
                        ? Stream.empty()
                        : Arrays.stream(tiers.split(" ")).map(Long::valueOf)).toList();
    }

    /** What stores keep of the places of tiers: a text with spaces; null for none. */
    public static @Nullable String text(List<Long> places) {
        return places.size() < 2
                ? null
                : places.stream().skip(1).map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** The last place before the lobby, of visitors without a tier; -1 as long as nobody came. */
    public long base() {
        return bases.isEmpty() ? -1 : bases.getFirst();
    }

    /** The last place of the closed lobby, of visitors without a tier; -1 before the close, and after the draw. */
    public long end() {
        return ends.isEmpty() ? -1 : ends.getFirst();
    }

    /** The last place of a line before the lobby. */
    public long base(int line) {
        return line < bases.size() ? bases.get(line) : Tiers.start(line);
    }

    private long end(int line) {
        return line < ends.size() ? ends.get(line) : base(line);
    }

    /**
     * The tickets of the closed lobby; of a draw without tiers those of the first line alone.
     *
     * @param tiers the names of the lines, from the second one on; at least as many as the lobby had
     */
    public List<Lobby> lobby(List<String> tiers) {
        boolean all = pending().map(Draw::tiers).isPresent();
        return IntStream.range(0, all ? ends.size() : 1)
                .mapToObj(n -> new Lobby(n == 0 ? "" : tiers.get(n - 1), base(n), end(n) - base(n))).toList();
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
                : new DrawLedger(draws.stream().map(Draw::published).toList(), open, bases, ends, drawn);
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
        return !bases.isEmpty();
    }

    /** Whether the ticket of this number waits for the draw. */
    public boolean isInLobby(long issued) {
        int line = Tiers.line(issued);
        return hasLobby() && issued > base(line) && (ends.isEmpty() || issued <= end(line));
    }

    /** The draw, already made, in which the ticket of this number was. */
    public Optional<Draw> drawOf(long epoch, long issued) {
        return draws.stream().filter(draw -> draw.drawn() && draw.has(epoch, issued)).findFirst();
    }

    /**
     * Commits to a draw, unless another one is under way or the opening has one. A draw without tiers is committed to
     * anew with tiers, as long as nobody came.
     *
     * @param tiers whether the room has tiers
     */
    public DrawLedger commit(RoomName room, Instant opening, @Nullable Beacon beacon, String seed, boolean tiers) {
        boolean again = tiers && canHaveTiers() && pending(opening).isPresent();
        if (!again && (pending().isPresent() || of(opening).isPresent())) {
            return this;
        }
        List<Draw> more = new ArrayList<>(again ? draws.subList(0, draws.size() - 1) : draws);
        more.add(Draw.committed(room, opening, beacon, seed, tiers));
        return new DrawLedger(more, true, List.of(), List.of(), drawn);
    }

    /** Whether the pending draw has no tiers, and may still be committed to with tiers. */
    public boolean canHaveTiers() {
        return open && !hasLobby() && pending().filter(draw -> draw.tiers() == null).isPresent();
    }

    /** The lobby has its first ticket. */
    public DrawLedger begun(List<Long> lengths) {
        return open && !hasLobby() ? new DrawLedger(draws, true, lengths, List.of(), drawn) : this;
    }

    /** Stamps the end of the lobby: tickets from here on stand behind the draw. */
    public DrawLedger close(Instant opening, List<Long> lengths) {
        return open && pending(opening).isPresent()
                ? new DrawLedger(draws, false, hasLobby() ? bases : lengths, lengths, drawn)
                : this;
    }

    /** Publishes the root of the closed lobby. */
    public DrawLedger root(Instant opening, long epoch, long count, String root, List<String> tiers) {
        if (pending(opening).isEmpty() || open || ends.isEmpty() || draws.getLast().isClosed()
                || (draws.getLast().tiers() != null && tiers.size() < ends.size() - 1)) {
            return this;
        }
        List<Lobby> lobby = lobby(tiers);
        return lobby.stream().mapToLong(Lobby::count).sum() == count
                ? replaced(draw -> draw.closed(epoch, lobby, root))
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
        return due ? new DrawLedger(replaced(Draw::revealed).draws, false, List.of(), List.of(), drawn + 1) : this;
    }

    /** Drops a draw that will not be made: tickets of its lobby have the places of the order of arrival. */
    public DrawLedger drop(Instant opening) {
        return pending(opening).isPresent()
                ? new DrawLedger(draws.subList(0, draws.size() - 1), false, List.of(), List.of(),
                        hasLobby() ? drawn + 1 : drawn)
                : this;
    }

    /**
     * The ledger of a new epoch, whose line is empty. A lobby begins anew under the same commitment, one that was
     * closed without a root is empty, and published values stay. Earlier draws concern nobody any more.
     */
    public DrawLedger ofNewEpoch() {
        List<Draw> kept = draws.isEmpty() ? List.of() : List.of(draws.getLast());
        List<Long> none = !open && !ends.isEmpty() ? List.of(0L) : List.of();
        return new DrawLedger(kept, open, none, none, drawn);
    }

    private DrawLedger replaced(UnaryOperator<Draw> change) {
        List<Draw> changed = new ArrayList<>(draws);
        changed.set(draws.size() - 1, change.apply(draws.getLast()));
        return new DrawLedger(changed, open, bases, ends, drawn);
    }
}
