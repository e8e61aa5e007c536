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
 * Renews the passes of a room, once per half-life: of the many requests of one page only one asks the store, the others
 * get its result or keep the pass they have. Thread-safe.
 */
final class PassRenewals {
    /** Placeholder for the new end while the store is asked. */
    private static final Instant ASKED = Instant.EPOCH;

    private final RoomTokens tokens;
    private final VisitorRequests requests;
    private final TokenIssuer issuer;
    /** New ends of passes that are being renewed, or were renewed lately. */
    private final ConcurrentMap<VisitorId, Instant> ends = new ConcurrentHashMap<>();

    PassRenewals(RoomTokens tokens, VisitorRequests requests, TokenIssuer issuer) {
        this.tokens = tokens;
        this.requests = requests;
        this.issuer = issuer;
    }

    /** Renews a live pass that is due, as {@link #ask}, unless another request is doing so or just did. */
    Reply<Visit> renew(Pass pass, Instant now, Visit asItIs, Supplier<Reply<Visit>> otherwise) {
        Instant end = ends.putIfAbsent(pass.visitor(), ASKED);
        if (end == null) {
            return ask(pass, false, now, asItIs, otherwise);
        }
        return new Reply.Now<>(end.equals(ASKED) ? asItIs : renewed(issuer.longer(pass, end, now)));
    }

    /**
     * Asks the store to renew a pass.
     *
     * @param revive whether the pass may have ended
     * @param asItIs the answer if the store gives none
     * @param otherwise supplies the answer if the pass has ended for good
     */
    Reply<Visit> ask(Pass pass, boolean revive, Instant now, Visit asItIs, Supplier<Reply<Visit>> otherwise) {
        Instant until = issuer.renewed(now, pass.latestEnd());
        if (!until.isAfter(now)) { // the longest stay ended while the store was away
            ends.remove(pass.visitor());
            return otherwise.get();
        }
        return new Reply.Later<>(requests.renew(pass, until, revive).<Reply<Visit>>handle((lives, failure) -> {
            if (failure == null && lives) {
                ends.put(pass.visitor(), until);
                return new Reply.Now<>(renewed(issuer.longer(pass, until, now)));
            }
            ends.remove(pass.visitor());
            if (failure == null) {
                return otherwise.get();
            }
            requests.failed(failure);
            return new Reply.Now<>(asItIs);
        }).thenCompose(Reply::stage));
    }

    /** Forgets passes that are due again: their requests carry the renewed pass by now. Called once a second. */
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
