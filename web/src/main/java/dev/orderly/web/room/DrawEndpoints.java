package dev.orderly.web.room;

import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.gate.DrawReceipt;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.store.StoreException;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Match;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What everybody may know of the last draw of a room, the receipt of a ticket, and the browser's part of the draw. */
final class DrawEndpoints {
    private DrawEndpoints() {}

    /** The tickets of a tier; those of visitors without one have an empty name. */
    private record Line(String name, long count) {}

    /** The draw as it is published so far; later members come with its steps. */
    static Response draw(ProtectedRoom room) {
        List<Draw> draws = room.gated().room().state().draws().draws();
        if (draws.isEmpty()) {
            throw new ProblemException(ProblemType.UNKNOWN_PATH,
                    "Room " + room.name() + " has no draw: ask again before its next opening with one");
        }
        Draw draw = draws.getLast();
        Beacon beacon = draw.beacon();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("room", room.name().value());
        json.put("opens", draw.opening().toString());
        json.put("rules", draw.rules());
        json.put("commitment", draw.commitment());
        json.put("beaconSource", beacon == null ? null : beacon.source());
        json.put("beaconAt", beacon == null ? null : beacon.at().toString());
        if (draw.isClosed()) {
            json.put("count", draw.count());
            json.put("root", draw.root());
            if (draw.tiers() != null) {
                json.put("tiers", draw.lobby().stream().map(line -> new Line(line.tier(), line.count())).toList());
            }
        }
        if (draw.value() != null) {
            json.put("beacon", draw.value());
        }
        if (draw.drawn()) {
            json.put("seed", draw.seed());
        }
        return Response.json(200, bytes(json)).addHeader("Cache-Control", "public, max-age=1")
                .addHeader("Access-Control-Allow-Origin", "*");
    }

    static Match receipt(ProtectedRoom room, VisitorRequest caller) {
        ShownTokens shown = room.credentials(caller);
        return new Match.Deferred(room.visits().receipt(shown).handle((found, failure) -> {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (cause instanceof StoreException) {
                    return new Match.Immediate(room.answers().unavailable(caller, Duration.ofSeconds(2)));
                }
                throw new CompletionException(failure);
            }
            return new Match.Immediate(found.map(receipt -> Response.json(200, bytes(json(room, receipt)))
                    .addHeader("Cache-Control", "no-store"))
                    .orElseGet(() -> Response.problem(new Problem(ProblemType.NO_TICKET, "No ticket of room "
                            + room.name() + " came with the request that was in a lobby whose tickets are published:"
                            + " receipts are for tickets of a lobby with a draw, from its end on"),
                            caller.head().path())));
        }));
    }

    private static Map<String, @Nullable Object> json(ProtectedRoom room, DrawReceipt receipt) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("room", room.name().value());
        json.put("opens", receipt.opening().toString());
        json.put("index", receipt.index());
        json.put("count", receipt.count());
        json.put("place", receipt.place());
        if (!receipt.tier().isEmpty()) {
            json.put("tier", receipt.tier());
        }
        json.put("ticket", receipt.ticket().toString());
        json.put("nonce", receipt.nonce());
        json.put("nonceBy", receipt.browser() ? "browser" : "server");
        json.put("leaf", receipt.leaf());
        json.put("path", receipt.path());
        json.put("root", receipt.root());
        return json;
    }

    static Match nonce(ProtectedRoom room, VisitorRequest caller) {
        MoveEndpoints.checkSite(caller.head());
        ShownTokens shown = room.credentials(caller);
        return MoveEndpoints.form(caller, body -> {
            try {
                Visit visit = room.visits().withNonce(shown, body.strip()).stage().toCompletableFuture().join();
                return visit instanceof Visit.NoTicket
                        ? VisitorEndpoints.gone(room, caller, shown)
                        : VisitorEndpoints.toResponse(room, caller, visit, 200);
            } catch (IllegalArgumentException e) {
                throw new ProblemException(ProblemType.MALFORMED, String.valueOf(e.getMessage()));
            }
        });
    }

    private static byte[] bytes(Map<String, @Nullable Object> json) {
        return JsonMapper.shared().writeValueAsString(json).getBytes(StandardCharsets.UTF_8);
    }
}
