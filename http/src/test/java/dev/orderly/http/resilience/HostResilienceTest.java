package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.Proxied;
import dev.orderly.http.RawHttp;
import dev.orderly.http.RawOrigin;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A closed room before one host of a site: whatever host is asked for, and however it is spelled. */
@Timeout(150)
class HostResilienceTest {
    private static final RoomName SALE = new RoomName("sale");
    private final RawOrigin shop = RawOrigin.saying("the shop");
    private final RawOrigin blog = RawOrigin.saying("the blog");
    private final MemoryStore store = new MemoryStore();
    private final RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
            new GateId("here"), new ManualTime(), new SecureRandom());
    private final Proxied edge = new Proxied(
            Gateway.of(List.of(Origin.all(shop.uri()).on("shop.example.com", "[::1]"),
                    new Origin(PathGlob.ALL, List.of("Blog.example.com."), blog.uri(), Origin.Host.CLIENT))),
            room("Shop.Example.com."));

    @AfterEach
    void close() {
        edge.close();
        rooms.close();
        shop.close();
        blog.close();
    }

    /** The room takes nobody in. */
    private EdgeHandlers room(String host) {
        var room = rooms.declare(SALE, RoomOptions.of(new Limits(1, null)), RoomSignals.none());
        rooms.step();
        rooms.change(SALE, new RoomChange.Mode(RoomMode.REJECT));
        rooms.step();
        RoomMatch match = new RoomMatch(List.of(host), List.of(RequestPattern.ALL), List.of());
        GatedRoom gated = GatedRoom.of(room, match, new WaitingPage(SALE, PageLook.titled("The sale"),
                PageTemplate.standard()));
        return EdgeHandlers.NONE.withRooms(new RoomGate(List.of(gated)));
    }

    private int status(String host) {
        return RawHttp.status(edge.port(), "GET /p HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.example.com", "shop.example.com.", "SHOP.example.COM", "shop.example.com:80",
            "shop.example.com.:8080", "Shop.Example.Com.:65535", "shop.example.com:", "  shop.example.com  "})
    void noSpellingOfItsHostPassesARoomBy(String host) {
        assertThat(status(host)).isEqualTo(503);
        assertThat(shop.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"other.example.com", "xshop.example.com", "shop.example.co", "localhost", "127.0.0.1",
            "127.0.0.1:8080", "xn--shop.example.com", "shop_example_com", "[::2]"})
    void anotherHostThanThoseOfTheOriginsIsMisdirected(String host) {
        assertThat(status(host)).isEqualTo(421);
        assertThat(shop.requests).isEmpty();
        assertThat(blog.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.example.com..", ".shop.example.com", "shop..example.com", "shop%2Eexample.com",
            "sh\u00f6p.example.com", "shop.example.com,", "shop.example.com@a", "a:b:80", "a:65536", "a:0", "a:00000",
            "a:8x", "127.1",
            "0x7f.0.0.1", "2130706433", "0177.0.0.1", "[::1", "[::1]x", "[fe80::1%25lo]", "::1", "[127.0.0.1]:x"})
    void whatIsNoHostThatAllServersReadAlikeIsRefused(String host) {
        assertThat(status(host)).isEqualTo(400);
        assertThat(shop.requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"BLOG.example.com.:8080,blog.example.com:8080", "blog.example.com:,blog.example.com",
            "blog.example.com:00080,blog.example.com:80"})
    void theOriginOfAnotherHostGetsItsRequestsWithTheNormalFormOfTheHost(String host, String sent) {
        assertThat(status(host)).isEqualTo(200);
        assertThat(blog.requests).singleElement().asString().contains("\r\nHost: " + sent + "\r\n",
                "\r\nX-Forwarded-Host: " + sent + "\r\n");
        assertThat(shop.requests).isEmpty();
    }

    @Test
    void addressesHaveOneFormToo() {
        assertThat(status("[0:0:0:0:0:0:0:1]:80")).isEqualTo(200);
        assertThat(shop.requests).singleElement().asString().contains("\r\nHost: [::1]:80\r\n");
    }

    @Test
    void theWholeAddressInTheRequestLineNamesTheSameHost() {
        String request = String.join("\r\n", "GET http://SHOP.example.com.:80/p HTTP/1.1", "Host: shop.example.com:80",
                "Connection: close", "", "");

        assertThat(RawHttp.status(edge.port(), request)).isEqualTo(503);
        assertThat(RawHttp.status(edge.port(), request.replace("SHOP", "blog"))).isEqualTo(400);
        assertThat(shop.requests).isEmpty();
    }
}
