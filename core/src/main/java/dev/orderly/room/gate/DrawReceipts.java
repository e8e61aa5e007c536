package dev.orderly.room.gate;

import dev.orderly.room.Draw;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.util.Arrays;
import java.util.HexFormat;
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
        return read(store, cache.name(), draw.base(), draw.count(), time);
    }

    /** The tree over all tickets of a lobby. */
    static LobbyTree read(RoomStore store, RoomName room, long base, long count, Time time) {
        LobbyTree tree = new LobbyTree();
        for (long at = 0; at < count; at += LobbyTree.PAGE) {
            tree.add(store.leaves(room, base + 1 + at, (int) Math.min(LobbyTree.PAGE, count - at), time.now()));
        }
        return tree;
    }

    /** A further device of a user has no nonce of the gate's to compare. */
    private static boolean isReplaced(Ticket.Entry shown, String nonce) {
        return !shown.nonce().isEmpty() && !shown.nonce().equals(nonce);
    }

    private DrawReceipt receipt(Ticket ticket, Draw draw, LobbyTree tree) {
        long index = ticket.issued() - draw.base() - 1;
        long page = index / LobbyTree.PAGE * LobbyTree.PAGE;
        byte[] entries = store.leaves(cache.name(), draw.base() + 1 + page,
                (int) Math.min(LobbyTree.PAGE, draw.count() - page), time.now());
        int at = (int) (index - page) * LobbyTree.ENTRY;
        // The shown token may have another nonce: an answer was lost, or two pages have sent one each.
        VisitorId id = VisitorId.of(Arrays.copyOfRange(entries, at, at + ID));
        String nonce = HexFormat.of().formatHex(entries, at + ID, at + LobbyTree.ENTRY);
        Ticket.Entry shown = ticket.entry();
        return new DrawReceipt(draw.opening(), index, draw.count(),
                draw.drawn() ? cache.placed(ticket).place() - draw.base() : null,
                id, nonce, shown != null && (shown.browser() || isReplaced(shown, nonce)),
                LobbyTree.leaf(id, nonce), tree.path(index, entries), Objects.requireNonNull(draw.root()));
    }
}
