package dev.orderly.room.gate;

import dev.orderly.room.Draw;
import dev.orderly.room.Draw.Lobby;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/**
 * The receipts of a room's draws. The first receipt of a draw reads all tickets, and later ones a page of them.
 * Thread-safe, never blocks.
 */
final class DrawReceipts {
    private static final int ID = 16;

    private final RoomCache cache;
    private final RoomStore store;
    private final Time time;
    private final Executor executor;
    /** Bounded by the draws of an epoch. */
    private final ConcurrentMap<String, CompletableFuture<LobbyTree>> trees = new ConcurrentHashMap<>();

    DrawReceipts(GateContext context, RoomCache cache, Executor executor) {
        this.cache = cache;
        this.store = context.store();
        this.time = context.time();
        this.executor = executor;
    }

    /** The receipt of a ticket; empty if it was in no lobby whose root is published. */
    CompletionStage<Optional<DrawReceipt>> of(Ticket ticket) {
        Optional<Draw> draw = cache.state().draws().draws().stream()
                .filter(each -> each.isClosed() && each.has(ticket.epoch(), ticket.issued())).findFirst();
        return draw.isEmpty() || ticket.epoch() != cache.state().epoch()
                ? CompletableFuture.completedStage(Optional.empty())
                : tree(draw.get()).thenApplyAsync(tree -> Optional.of(receipt(ticket, draw.get(), tree)), executor);
    }

    private CompletableFuture<LobbyTree> tree(Draw draw) {
        String root = Objects.requireNonNull(draw.root());
        CompletableFuture<LobbyTree> tree = trees.computeIfAbsent(root,
                _ -> CompletableFuture.supplyAsync(() -> read(draw), executor));
        var _ = tree.whenComplete((_, failure) -> {
            if (failure != null) {
                trees.remove(root, tree);
            }
        });
        return tree;
    }

    private LobbyTree read(Draw draw) {
        return read(store, cache.name(), draw.lobby(), time);
    }

    /** The tree over all tickets of a lobby. */
    static LobbyTree read(RoomStore store, RoomName room, List<Lobby> lobby, Time time) {
        LobbyTree tree = new LobbyTree(index -> tier(lobby, index));
        long count = lobby.stream().mapToLong(Lobby::count).sum();
        for (long at = 0; at < count; at += LobbyTree.PAGE) {
            tree.add(page(store, room, lobby, at, time));
        }
        return tree;
    }

    private static String tier(List<Lobby> lobby, long index) {
        long behind = index;
        for (Lobby line : lobby) {
            if (behind < line.count()) {
                return line.tier();
            }
            behind -= line.count();
        }
        return "";
    }

    /** The entries of the page that begins with an index. */
    private static byte[] page(RoomStore store, RoomName room, List<Lobby> lobby, long from, Time time) {
        ByteArrayOutputStream entries = new ByteArrayOutputStream();
        long first = 0;
        for (Lobby line : lobby) {
            long begin = Math.max(first, from);
            long end = Math.min(first + line.count(), from + LobbyTree.PAGE);
            if (begin < end) {
                entries.writeBytes(
                        store.leaves(room, line.base() + 1 + begin - first, (int) (end - begin), time.now()));
            }
            first += line.count();
        }
        return entries.toByteArray();
    }

    /** A further device of a user has no nonce of the gate's to compare. */
    private static boolean isReplaced(Ticket.Entry shown, String nonce) {
        return !shown.nonce().isEmpty() && !shown.nonce().equals(nonce);
    }

    private DrawReceipt receipt(Ticket ticket, Draw draw, LobbyTree tree) {
        List<Lobby> lobby = draw.lobby();
        Lobby line = lobby.stream().filter(each -> each.has(ticket.issued())).findFirst().orElseThrow();
        long index = ticket.issued() - line.base() - 1
                + lobby.stream().takeWhile(each -> !each.equals(line)).mapToLong(Lobby::count).sum();
        long page = index / LobbyTree.PAGE * LobbyTree.PAGE;
        byte[] entries = page(store, cache.name(), lobby, page, time);
        int at = (int) (index - page) * LobbyTree.ENTRY;
        // The shown token may have another nonce: an answer was lost, or two pages have sent one each.
        VisitorId id = VisitorId.of(Arrays.copyOfRange(entries, at, at + ID));
        String nonce = HexFormat.of().formatHex(entries, at + ID, at + LobbyTree.ENTRY);
        Ticket.Entry shown = ticket.entry();
        return new DrawReceipt(draw.opening(), index, draw.count(),
                draw.drawn() ? cache.placed(ticket).place() - line.base() : null, line.tier(),
                id, nonce, shown != null && (shown.browser() || isReplaced(shown, nonce)),
                LobbyTree.leaf(id, nonce, line.tier()), tree.path(index, entries),
                Objects.requireNonNull(draw.root()));
    }
}
