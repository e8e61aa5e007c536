package dev.orderly.room;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a request shows of itself, unverified.
 *
 * @param tickets texts that may be tickets of the room; few
 * @param passes texts that may be passes of the room; few
 */
public record Credentials(List<String> tickets, List<String> passes) {
    public static final Credentials NONE = new Credentials(List.of(), List.of());

    public Credentials {
        tickets = List.copyOf(tickets);
        passes = List.copyOf(passes);
    }

    Credentials withoutPasses() {
        return new Credentials(tickets, List.of());
    }

    /** Those that are authentic and of this line, or of the next one: a gate may not have heard of that yet. */
    Tokens verify(RoomTokens tokens, RoomState state, Instant now) {
        if (tickets.isEmpty() && passes.isEmpty()) {
            return Tokens.NONE;
        }
        RoomName room = state.room();
        Ticket ticket = tickets.stream()
                .map(text -> tokens.ticket(text, room, state.epoch(), now)
                        .or(() -> tokens.ticket(text, room, state.epoch() + 1, now)))
                .flatMap(Optional::stream)
                .min(Comparator.comparingLong((Ticket each) -> -each.epoch()).thenComparingLong(Ticket::place))
                .orElse(null);
        Pass pass = passes.stream()
                .map(text -> tokens.authenticPass(text, room, state.epoch())
                        .or(() -> tokens.authenticPass(text, room, state.epoch() + 1)))
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(Pass::epoch).thenComparing(Pass::expiresAt)).orElse(null);
        return new Tokens(ticket, pass);
    }
}
