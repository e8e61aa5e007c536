package dev.orderly.server.draw;

import dev.orderly.room.BeaconRound;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request for a round of drand. Its answer counts if it is 200 and JSON with the number of the round, its randomness,
 * and a signature whose SHA-256 is the randomness. The signature itself is not verified: that is BLS, which everybody
 * can check with the tools of drand.
 */
final class RoundRequest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST = 16 * 1024;

    private RoundRequest() {}

    /** The randomness; fails after 10 s at most: {@link IllegalArgumentException}, or an exception of the client. */
    static CompletableFuture<String> send(HttpClient client, BeaconRound round) {
        HttpRequest request = HttpRequest.newBuilder(round.address()).timeout(PATIENCE)
                .header("Accept", "application/json").header("User-Agent", "Orderly").build();
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request,
                BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MOST));
        return answer.thenApply(each -> randomness(each, round)).orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .whenComplete((_, _) -> answer.cancel(true)); // ends an answer that trickles
    }

    private static String randomness(HttpResponse<String> response, BeaconRound round) {
        if (response.statusCode() != 200) {
            throw new IllegalArgumentException("It answered " + response.statusCode());
        }
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(response.body());
        } catch (JacksonException e) {
            throw new IllegalArgumentException("Its answer is no JSON", e);
        }
        JsonNode number = json.path("round");
        if (!number.isIntegralNumber() || !number.canConvertToLong() || number.asLong() != round.number()) {
            throw new IllegalArgumentException("Its answer is not of round " + round.number());
        }
        String value = BeaconRound.randomness(json.path("randomness").asString(""));
        if (!value.equals(sha256(json.path("signature").asString("")))) {
            throw new IllegalArgumentException("Its randomness is not the SHA-256 of its signature");
        }
        return value;
    }

    /** Of hexadecimal digits; empty if there are others. */
    private static String sha256(String digits) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(HexFormat.of().parseHex(digits)));
        } catch (IllegalArgumentException _) {
            return "";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
