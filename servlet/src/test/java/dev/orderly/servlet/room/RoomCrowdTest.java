package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.RoomMatch;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** More visitors who need the store than threads of the container may wait for it. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class RoomCrowdTest {
    private static final Pattern PLACE = Pattern.compile("\"place\":(\\d+)");

    private final RoomApp app;

    RoomCrowdTest(Container.Kind kind) {
        app = new RoomApp(kind, "", RoomFilterOptions.defaults().withWaits(1)
                .withTrusted(TrustedProxies.of("127.0.0.1")), RoomMatch.of("/tickets/**"));
    }

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void everyNewVisitorOfACrowdGetsAPlaceOfItsOwn() {
        Guest.inside(app);

        List<CompletableFuture<HttpResponse<String>>> all = IntStream.range(0, 100).mapToObj(i -> app.client()
                .sendAsync(app.at("/tickets/x").header("X-Forwarded-For", "203.0.113." + i).GET().build(),
                        BodyHandlers.ofString()))
                .toList();

        Set<Integer> places = new HashSet<>();
        for (CompletableFuture<HttpResponse<String>> each : all) {
            HttpResponse<String> answer = each.join();
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Set-Cookie")).isPresent();
            Matcher place = PLACE.matcher(answer.body());
            assertThat(place.find()).as(answer.body()).isTrue();
            places.add(Integer.parseInt(place.group(1)));
        }
        assertThat(places).hasSize(100);
        assertThat(app.reached).noneMatch(line -> line.contains("/tickets/x"));
    }

    @Test
    void aVisitorInsideNeverWaitsForTheStoreOfOthers() throws InterruptedException {
        Guest first = Guest.inside(app);
        app.pass(200); // the pass is due
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        app.beforeStore(() -> {
            asked.countDown();
            free.await();
        });
        try {
            CompletableFuture<HttpResponse<String>> newcomer = app.client()
                    .sendAsync(app.at("/tickets/x").GET().build(), BodyHandlers.ofString());
            asked.await();

            assertThat(first.get("/tickets/b").statusCode()).isEqualTo(200);
            assertThat(newcomer).isNotDone();
        } finally {
            free.countDown();
        }
    }
}
