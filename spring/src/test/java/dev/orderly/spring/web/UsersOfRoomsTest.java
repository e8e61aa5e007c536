package dev.orderly.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.room.RoomUsers;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;

/** Rooms of the properties that have to know who is signed in. */
class UsersOfRoomsTest {
    private final WebApplicationContextRunner room = ServletPartsTest.container()
            .withPropertyValues("server.port=0", "orderly.rooms.sale.match=/tickets/**",
                    "orderly.rooms.sale.capacity=1", "orderly.room-filter.secret=" + "0f".repeat(32));
    private final WebApplicationContextRunner known = room.withBean(RoomUsers.class, () -> UsersOfRoomsTest::byHeader);

    /** The user is in a header, and so is whether they are a member. */
    private static Optional<RoomUsers.SignedIn> byHeader(Map<String, List<String>> headers) {
        String user = headers.getOrDefault("X-User", List.of()).stream().findFirst().orElse(null);
        if ("broken".equals(user)) {
            throw new IllegalStateException("No keys now");
        }
        return Optional.ofNullable(user).map(name -> new RoomUsers.SignedIn(new UserId(name),
                headers.containsKey("X-Tier") ? Map.of("tier", List.of("gold")) : Map.of()));
    }

    /** A browser of a user, with cookies of its own. */
    private record Device(HttpClient client, int port) implements AutoCloseable {
        Device(AssertableWebApplicationContext context) {
            this(HttpClient.newBuilder().cookieHandler(new CookieManager()).build(),
                    Objects.requireNonNull(((AnnotationConfigServletWebServerApplicationContext) context
                            .getSourceApplicationContext()).getWebServer()).getPort());
        }

        HttpResponse<String> get(String... headers) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/tickets/1"));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static RoomOptions options(AssertableWebApplicationContext context) {
        return context.getBean(RoomFilter.class).rooms().getFirst().room().options();
    }

    @Test
    void aUserHasOnePlaceOnAllDevicesAndWhoIsNotSignedInHasNone() {
        known.withPropertyValues("orderly.rooms.sale.one-per=user", "orderly.rooms.sale.sign-in=/login")
                .run(context -> {
                    try (Device zoe = new Device(context);
                            Device ann = new Device(context);
                            Device second = new Device(context);
                            Device nobody = new Device(context)) {
                        assertThat(zoe.get("X-User", "zoe").statusCode()).isEqualTo(200);
                        assertThat(ann.get("X-User", "ann").statusCode()).isEqualTo(503);
                        assertThat(second.get("X-User", "ann").statusCode()).isEqualTo(503);
                        HttpResponse<String> page = nobody.get("Accept", "text/html");
                        assertThat(page.body()).contains("/login?back");
                        assertThat(nobody.get("Accept", "application/json").statusCode()).isEqualTo(401);
                        assertThat(nobody.get("X-User", "broken").statusCode()).isEqualTo(503);
                        assertThat(context.getBean(Store.class).rooms().rooms(Time.system().now())).singleElement()
                                .satisfies(state -> assertThat(state.line().length()).isEqualTo(2));
                    }
                });
    }

    @Test
    void tiersOfThePropertiesAreThoseOfTheRoomAndAMemberStandsInTheLineOfMembers() {
        known.withPropertyValues("orderly.rooms.sale.tiers[0].name=members",
                "orderly.rooms.sale.tiers[0].claim=tier=gold",
                "orderly.rooms.sale.tiers[0].share=20", "orderly.rooms.sale.tiers[1].name=press",
                "orderly.rooms.sale.tiers[1].share=5", "orderly.rooms.sale.tiers[1].invitations=true").run(context -> {
                    assertThat(options(context).tiers()).isEqualTo(new Tiers(
                            List.of(new Tiers.Tier("members", "tier=gold", 20), Tiers.Tier.invited("press", 5))));
                    try (Device zoe = new Device(context); Device ann = new Device(context)) {
                        assertThat(zoe.get("X-User", "zoe").statusCode()).isEqualTo(200);
                        assertThat(ann.get("X-User", "ann", "X-Tier", "gold").body()).contains("members");
                    }
                });
        room.run(context -> assertThat(options(context).tiers()).isEqualTo(Tiers.NONE));
    }

    @Test
    void aRoomThatHasToKnowItsUsersIsRefusedWithoutABeanThatKnowsThem() {
        for (String setting : List.of("orderly.rooms.sale.one-per=user",
                "orderly.rooms.sale.tiers[0].claim=tier=gold")) {
            room.withPropertyValues(setting, "orderly.rooms.sale.tiers[0].name=members",
                    "orderly.rooms.sale.tiers[0].share=20", "orderly.rooms.sale.tiers[0].invitations=true")
                    .run(context -> assertThat(context).getFailure().rootCause()
                            .hasMessageContaining("Room sale has to know who is signed in"));
        }
    }

    @Test
    void wrongSettingsAreRefused() {
        known.withPropertyValues("orderly.rooms.sale.sign-in=/login").run(context -> assertThat(context).getFailure()
                .rootCause().hasMessageContaining("set one-per: user, or remove sign-in"));
        known.withPropertyValues("orderly.rooms.sale.one-per=user", "orderly.rooms.sale.sign-in=login")
                .run(context -> assertThat(context).getFailure().rootCause()
                        .hasMessageContaining("signs nobody in"));
        known.withPropertyValues("orderly.rooms.sale.tiers[0].name=members").run(context -> assertThat(context)
                .getFailure().rootCause().hasMessageContaining("A tier has a name and a share"));
        known.withPropertyValues("orderly.rooms.sale.tiers[0].name=members", "orderly.rooms.sale.tiers[0].share=20")
                .run(context -> assertThat(context).getFailure().rootCause()
                        .hasMessageContaining("Nobody belongs to tier members"));
    }
}
