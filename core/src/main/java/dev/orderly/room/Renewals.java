package dev.orderly.room;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How passes of a room are made to live longer: once per half-life, whatever number of requests come with one. */
final class Renewals {
    private final RoomTokens tokens;
    private final Calls calls;
    private final Issuer issuer;
    private final Consumer<Throwable> failed;
    private final Renewing renewing = new Renewing();

    /** @param failed is told why the store did not answer */
    Renewals(GateContext context, Calls calls, Issuer issuer, Consumer<Throwable> failed) {
        this.tokens = context.tokens();
        this.calls = calls;
        this.issuer = issuer;
        this.failed = failed;
    }

    /** As {@link #ask}, of a pass that lives and is due; asks only if nobody does or just did. */
    Visit renew(Pass pass, Instant now, Visit asItIs, Supplier<Visit> otherwise) {
        Optional<Instant> known = renewing.known(pass.visitor());
        if (known.isPresent()) {
            return renewed(issuer.longer(pass, known.get(), now));
        }
        return renewing.begin(pass.visitor()) ? ask(pass, false, now, asItIs, otherwise) : asItIs;
    }

    /**
     * Asks the store.
     *
     * @param revive whether the pass may have ended
     * @param asItIs the answer if the store gives none
     * @param otherwise what becomes of the visitor if the pass has ended
     */
    Visit ask(Pass pass, boolean revive, Instant now, Visit asItIs, Supplier<Visit> otherwise) {
        Instant until = issuer.renewed(now, pass.latestEnd());
        return new Visit.Asking(calls
                .renew(new Renewal(pass.visitor(), pass.epoch(), pass.place(), until, revive))
                .handle((lives, failure) -> {
                    if (failure == null && lives) {
                        renewing.done(pass.visitor(), until);
                        return renewed(issuer.longer(pass, until, now));
                    }
                    renewing.failed(pass.visitor());
                    if (failure == null) {
                        return otherwise.get();
                    }
                    failed.accept(failure);
                    return asItIs;
                }).thenCompose(Renewals::flat));
    }

    /** Forgets those whose renewed pass is due again. */
    void tidy(Instant now, Duration halfLife) {
        renewing.tidy(now.plus(halfLife));
    }

    private Visit renewed(Pass longer) {
        return new Visit.Admitted(longer, tokens.sign(longer), null);
    }

    static CompletionStage<Visit> flat(Visit visit) {
        return visit instanceof Visit.Asking(CompletionStage<Visit> later)
                ? later
                : CompletableFuture.completedStage(visit);
    }
}
