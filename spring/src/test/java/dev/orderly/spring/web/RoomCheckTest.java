package dev.orderly.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.room.ProofOfWork;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.JoinCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;

/** A room of the properties whose visitors are checked. */
class RoomCheckTest {
    private final WebApplicationContextRunner room = ServletPartsTest.container()
            .withPropertyValues("server.port=0", "orderly.rooms.sale.match=/tickets/**",
                    "orderly.rooms.sale.capacity=1", "orderly.room-filter.secret=" + "0f".repeat(32));

    @Test
    void theProgramOfThePropertiesDecidesAndItsQuestionIsSigned() throws IOException {
        List<String> signed = Collections.synchronizedList(new ArrayList<>());
        HttpServer program = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        program.createContext("/", exchange -> {
            try (exchange) {
                signed.add(String.valueOf(exchange.getRequestHeaders().getFirst("webhook-signature")));
                byte[] body = "{\"verdict\":\"refuse\"}".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        program.start();
        try {
            room.withPropertyValues("orderly.rooms.sale.check.url=http://127.0.0.1:" + program.getAddress().getPort(),
                    "orderly.rooms.sale.check.when=always", "orderly.rooms.sale.check.timeout=5s",
                    "orderly.rooms.sale.check.secret=whsec_" + "A".repeat(32)).run(context -> {
                        int port = Objects.requireNonNull(((AnnotationConfigServletWebServerApplicationContext) context
                                .getSourceApplicationContext()).getWebServer()).getPort();
                        try (HttpClient client = HttpClient.newHttpClient()) {
                            assertThat(client.send(HttpRequest.newBuilder(
                                    URI.create("http://127.0.0.1:" + port + "/tickets/1")).build(),
                                    BodyHandlers.ofString()).statusCode()).isEqualTo(403);
                        }
                    });
            assertThat(signed).singleElement().asString().startsWith("v1,");
        } finally {
            program.stop(0);
        }
    }

    @Test
    void withoutAPropertyNoneDecidesAndTheDefaultsAreThoseOfTheServer() {
        room.run(context -> assertThat(context.getBean(RoomFilter.class).rooms().getFirst().check()).isNull());
        room.withPropertyValues("orderly.rooms.sale.check.url=http://127.0.0.1:9/c").run(context -> {
            JoinCheck check = context.getBean(RoomFilter.class).rooms().getFirst().check();
            assertThat(Objects.requireNonNull(check).policy())
                    .isEqualTo(CheckPolicy.of(URI.create("http://127.0.0.1:9/c")));
        });
    }

    @Test
    void theWorkOfThePropertiesIsThatOfTheRoom() {
        room.run(context -> assertThat(work(context)).isNull());
        room.withPropertyValues("orderly.rooms.sale.proof-of-work.enabled=true")
                .run(context -> assertThat(work(context)).isEqualTo(ProofOfWork.DEFAULT));
        room.withPropertyValues("orderly.rooms.sale.proof-of-work.crowded-from=3",
                "orderly.rooms.sale.proof-of-work.delay=1m", "orderly.rooms.sale.proof-of-work.cost=2000")
                .run(context -> assertThat(work(context)).isEqualTo(new ProofOfWork(3, Duration.ofMinutes(1), 2_000)));
        room.withPropertyValues("orderly.rooms.sale.proof-of-work.cost=10").run(context -> assertThat(context)
                .getFailure().rootCause().hasMessageContaining("orderly.rooms.sale: The cost of work is 10"));
    }

    private static @Nullable ProofOfWork work(AssertableWebApplicationContext context) {
        return context.getBean(RoomFilter.class).rooms().getFirst().room().options().proofOfWork();
    }

    @Test
    void wrongSettingsAreRefusedWithoutTheSecret() {
        room.withPropertyValues("orderly.rooms.sale.check.url=ftp://a/").run(context -> assertThat(context)
                .getFailure().rootCause().hasMessageContaining("orderly.rooms.sale: The url of a check is not valid"));
        room.withPropertyValues("orderly.rooms.sale.check.when=always").run(context -> assertThat(context)
                .getFailure().rootCause().hasMessageContaining("set check.url"));
        room.withPropertyValues("orderly.rooms.sale.check.url=http://a/", "orderly.rooms.sale.check.secret=hunter2")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("webhook secret")
                        .hasMessageNotContaining("hunter2"));
    }
}
