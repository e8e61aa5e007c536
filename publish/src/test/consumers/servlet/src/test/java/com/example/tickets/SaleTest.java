package com.example.tickets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.orderly.Orderly;
import dev.orderly.store.sqlite.SqliteStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SaleTest {
    @Test
    void theSecondVisitorWaits(@TempDir Path folder) throws Exception {
        try (Orderly orderly = Orderly.open(SqliteStore.at(folder.resolve("orderly.db")));
                Sale sale = new Sale(orderly, new byte[32], folder.toString());
                HttpClient browser = HttpClient.newHttpClient()) {
            HttpResponse<String> first = get(browser, sale, "/tickets/1");
            assertEquals(200, first.statusCode());
            assertEquals("a ticket", first.body());

            HttpResponse<String> second = get(browser, sale, "/tickets/1");
            assertEquals(503, second.statusCode());
            assertTrue(second.body().contains("The sale"), second.body());
            assertEquals(200, get(browser, sale, "/imprint").statusCode());
        }
    }

    private static HttpResponse<String> get(HttpClient browser, Sale sale, String path) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + sale.port() + path);
        return browser.send(HttpRequest.newBuilder(address).header("Accept", "text/html").build(),
                BodyHandlers.ofString());
    }
}
