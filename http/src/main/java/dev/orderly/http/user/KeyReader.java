package dev.orderly.http.user;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads a JWK set from its source. Blocks, at most about {@link #PATIENCE}; reads at most {@value #SIZE_MAX} bytes. */
final class KeyReader {
    static final Duration PATIENCE = Duration.ofSeconds(5);
    static final int SIZE_MAX = 256 << 10;

    private KeyReader() {}

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read completely
     * @throws IllegalArgumentException if it is no JWK set
     */
    static KeySet file(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SIZE_MAX + 1);
            if (bytes.length > SIZE_MAX) {
                throw new IOException("it is larger than " + SIZE_MAX + " bytes");
            }
            return KeySet.parse(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** As {@link #file}. Redirects are not followed: keys come only from the configured address. */
    static KeySet url(URI uri) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(PATIENCE)
                .header("Accept", "application/jwk-set+json, application/json").build();
        try (HttpClient client = HttpClient.newBuilder().followRedirects(Redirect.NEVER).connectTimeout(PATIENCE)
                .build()) {
            HttpResponse<byte[]> answer;
            try {
                answer = client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), SIZE_MAX))
                        .get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                client.shutdownNow();
                throw new IOException("the thread that read it was interrupted");
            } catch (TimeoutException e) {
                client.shutdownNow();
                throw new IOException("it did not come within " + PATIENCE.toSeconds() + " s", e);
            } catch (ExecutionException e) {
                throw new IOException("it could not be read: " + e.getCause(), e);
            }
            if (answer.statusCode() != 200) {
                throw new IOException("the answer was " + answer.statusCode());
            }
            return KeySet.parse(new String(answer.body(), StandardCharsets.UTF_8));
        }
    }
}
