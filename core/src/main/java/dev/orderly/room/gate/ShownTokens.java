package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.room.RoomState;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tokens shown by a request, unverified.
 *
 * @param tickets texts that may be tickets of the room; few
 * @param passes texts that may be passes of the room; few
 */
@Internal(to = "dev.orderly")
public record ShownTokens(List<String> tickets, List<String> passes) {
    public static final ShownTokens NONE = new ShownTokens(List.of(), List.of());

    public ShownTokens {
        Objects.requireNonNull(passes, "passes");
        Objects.requireNonNull(tickets, "tickets");
        tickets = List.copyOf(tickets);
        passes = List.copyOf(passes);
    }

    ShownTokens withoutPasses() {
        return new ShownTokens(tickets, List.of());
    }

    /**
     * The authentic tokens of this epoch or of later ones: a gate may learn late of new epochs. A ticket is ignored
     * beside a pass that counts.
     */
    VerifiedTokens verify(RoomTokens tokens, RoomState state, Instant now) {
        Pass pass = pass(tokens, state);
        boolean counts = pass != null && now.isBefore(pass.expiresAt()) && !state.isVoid(pass.visitor());
        return new VerifiedTokens(counts ? null : ticket(tokens, state, now), pass);
    }

    private @Nullable Pass pass(RoomTokens tokens, RoomState state) {
        Pass best = null;
        for (String text : passes) {
            Pass one = tokens.authenticPass(text, state.room(), state.epoch()).orElse(null);
            boolean later = one != null && (best == null || one.epoch() > best.epoch()
                    || (one.epoch() == best.epoch() && one.expiresAt().isAfter(best.expiresAt())));
            best = later ? one : best;
        }
        return best;
    }

    private @Nullable Ticket ticket(RoomTokens tokens, RoomState state, Instant now) {
        Ticket best = null;
        for (String text : tickets) {
            Ticket one = tokens.ticket(text, state.room(), state.epoch(), now).orElse(null);
            boolean earlier = one != null && (best == null || one.epoch() > best.epoch()
                    || (one.epoch() == best.epoch() && one.place() < best.place()));
            best = earlier ? one : best;
        }
        return best;
    }
}
