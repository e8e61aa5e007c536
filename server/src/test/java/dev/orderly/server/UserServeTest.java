package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.time.Time;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of a whole server, behind its rooms. */
class UserServeTest {
    static final String SECRET = "a secret of the site, 32 or more";

    @Test
    void aUserPushesAndSeesItsJobBehindTheRooms(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s }
                admin: { port: 0 }
                queues: { emails: {} }
                routes: [ { post: /mail, queue: emails } ]
                rooms: { sale: { match: [/sale/**], capacity: 1 } }
                users: { jwt: { secret-env: USER_JWT_SECRET, cookie: session } }
                """);
        try (OrderlyServer server = ServerInTest.start(file, Map.of("USER_JWT_SECRET", SECRET));
                HttpClient client = HttpClient.newHttpClient()) {
            URI edge = URI.create("http://127.0.0.1:" + server.edgePort());
            HttpResponse<String> pushed = client.send(HttpRequest.newBuilder(edge.resolve("/mail"))
                    .header("Cookie", "session=" + token("ada")).POST(BodyPublishers.ofString("1")).build(),
                    BodyHandlers.ofString());
            assertThat(pushed.statusCode()).isEqualTo(202);
            URI job = edge.resolve(pushed.headers().firstValue("Location").orElseThrow());
            HttpResponse<String> seen = look(client, job, "ada");
            assertThat(seen.statusCode()).isEqualTo(200);
            assertThat(seen.body()).contains("\"state\":\"waiting\"", "\"ahead\":0");
            assertThat(look(client, job, "bob").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> look(HttpClient client, URI job, String user) throws Exception {
        return client.send(HttpRequest.newBuilder(job).header("Authorization", "Bearer " + token(user)).build(),
                BodyHandlers.ofString());
    }

    /** A token of this user, signed with the secret. */
    static String token(String user) throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue("HS256");
        token.setKey(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        token.setPayload("{\"sub\":\"" + user + "\",\"exp\":"
                + Time.system().now().plusSeconds(600).getEpochSecond() + "}");
        return token.getCompactSerialization();
    }
}
