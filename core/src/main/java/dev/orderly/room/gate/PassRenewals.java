package dev.orderly.room.gate;

import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Renews the passes of a room, once per half-life: of the many requests of one page only one asks the store, the others get
 * the same answer or keep the pass they have. Thread-safe.
 */
final class PassRenewals {
    /** Stands for the new end while the store is asked for it. */
    private static final Instant ASKED = Instant.EPOCH;

    private final RoomTokens tokens;
    private final VisitorRequests calls;
    private final TokenIssuer issuer;
    /** The new ends of passes that are being renewed, or were just now. */
    private final ConcurrentMap<VisitorId, Instant> ends = new ConcurrentHashMap<>();

    PassRenewals(RoomTokens tokens, VisitorRequests calls, TokenIssuer issuer) {
        this.tokens = tokens;
        this.calls = calls;
        this.issuer = issuer;
    }

    /** Renews a pass that lives and is due, as {@link #ask} does, unless another request just did. */
    Reply<Visit> renew(Pass pass, Instant now, Visit asItIs, Supplier<Reply<Visit>> otherwise) {
        Instant end = ends.putIfAbsent(pass.visitor(), ASKED);
        if (end == null) {
            return ask(pass, false, now, asItIs, otherwise);
        }
        return new Reply.Now<>(end.equals(ASKED) ? asItIs : renewed(issuer.longer(pass, end, now)));
    }

    /**
     * Asks the store.
     *
     * @param revive whether the pass may have ended
     * @param asItIs the answer if the store gives none
     * @param otherwise the answer if the pass has ended for good
     */
    Reply<Visit> ask(Pass pass, boolean revive, Instant now, Visit asItIs, Supplier<Reply<Visit>> otherwise) {
        Instant until = issuer.renewed(now, pass.latestEnd());
        return new Reply.Later<>(calls.renew(pass, until, revive).<Reply<Visit>>handle((lives, failure) -> {
            if (failure == null && lives) {
                ends.put(pass.visitor(), until);
                return new Reply.Now<>(renewed(issuer.longer(pass, until, now)));
            }
            ends.remove(pass.visitor());
            if (failure == null) {
                return otherwise.get();
            }
            calls.failed(failure);
            return new Reply.Now<>(asItIs);
        }).thenCompose(Reply::stage));
    }

    /** Forgets passes that are due again: their requests carry the renewed one by now. Once a second. */
    void tidy(Instant now) {
        Instant due = now.plus(halfLife());
        ends.values().removeIf(end -> !end.equals(ASKED) && !end.isAfter(due));
    }

    private Duration halfLife() {
        return issuer.stay().passIdle().dividedBy(2);
    }

    private Visit renewed(Pass longer) {
        return new Visit.Admitted(longer, tokens.sign(longer), null);
    }
}
