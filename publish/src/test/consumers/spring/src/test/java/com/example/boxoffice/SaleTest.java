package com.example.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SaleTest {
    @TempDir
    static Path folder;

    @LocalServerPort
    int port;

    @Autowired
    Printer printer;

    @DynamicPropertySource
    static void store(DynamicPropertyRegistry properties) {
        properties.add("orderly.store", () -> "sqlite:" + folder.resolve("orderly.db"));
    }

    @Test
    void theFirstVisitorGetsATicketAndTheSecondWaits() throws Exception {
        HttpResponse<String> first = get("/tickets/A1");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("sold");
        await().atMost(Duration.ofMinutes(1)).until(() -> printer.has(new Ticket("A1")));

        HttpResponse<String> second = get("/tickets/A2");
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.body()).contains("The sale");

        assertThat(get("/internal/orderly/").statusCode()).isEqualTo(403);
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + port + path);
        try (HttpClient browser = HttpClient.newHttpClient()) {
            return browser.send(HttpRequest.newBuilder(address).header("Accept", "text/html").build(),
                    BodyHandlers.ofString());
        }
    }
}
