package dev.orderly.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.Lifecycle;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.testkit.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client script as every edge serves it. */
class ClientScriptHandlerTest {
    private final MemoryStore store = new MemoryStore();
    private final Lifecycle pushes = new Lifecycle();
    private final JobClient jobs = new JobClient(store.jobs(), store.jobViews(), EngineOptions.defaults(), pushes);
    private final EdgeServer edge = new EdgeServer(BindAddress.loopback(0), Routes.of(List.of(), jobs),
            HttpLimits.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start() {
        edge.start();
    }

    @AfterEach
    void close() {
        client.close();
        edge.close();
        pushes.end();
        store.close();
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void theScriptIsASmallCacheableModule() throws IOException, InterruptedException {
        HttpResponse<String> script = send(at("/.orderly/client.js"));

        assertThat(script.statusCode()).isEqualTo(200);
        assertThat(script.headers().firstValue("Content-Type")).contains("text/javascript; charset=utf-8");
        assertThat(script.headers().firstValue("Cache-Control")).contains("public, max-age=300");
        assertThat(script.body()).hasSizeLessThan(12_000)
                .contains("export function followJob", "export function followRoom", "export function live")
                .doesNotContain("@param");
    }

    @Test
    void aCachedScriptIsNotSentAgain() throws IOException, InterruptedException {
        String tag = send(at("/.orderly/client.js")).headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = send(at("/.orderly/client.js").header("If-None-Match", "W/" + tag));
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.headers().firstValue("Cache-Control")).contains("public, max-age=300");
        assertThat(send(at("/.orderly/client.js").header("If-None-Match", "\"other\"")).statusCode()).isEqualTo(200);
    }

    @Test
    void theScriptIsReadOnlyAndOtherPathsArePassedOn() throws IOException, InterruptedException {
        HttpResponse<String> head = send(at("/.orderly/client.js").method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        HttpResponse<String> post = send(at("/.orderly/client.js").POST(BodyPublishers.noBody()));
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(send(at("/.orderly/x/client.js")).statusCode()).isEqualTo(404);
    }
}
