package dev.orderly.web.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.Headers;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths, patterns for paths, and client addresses. */
class RequestPathTest {
    @ParameterizedTest
    @CsvSource({"/tickets/1,/tickets/1,/tickets/1", "/,/,/", "/A/b,/A/b,/a/b", "/%74ickets,/tickets,/tickets",
            "/%2574,/%2574,/%74", "/a%2Fb,/a%2Fb,/a/b", "/a%5cb,/a%5Cb,/a/b", "/a;x=1/b;y,/a;x=1/b;y,/a/b",
            "/a%3bx/b,/a%3Bx/b,/a/b", "/a//b/,/a/b/,/a/b/", "/a/./b,/a/b,/a/b", "/a/b/..,/a/,/a/", "/..,/,/",
            "/x/%2e%2e/T,/T,/t", "/%C3%9C,/%C3%9C,/ü", "/.well-known/x,/.well-known/x,/.well-known/x",
            "/a/.;x/b,/a/.;x/b,/a/b", "/a/...,/a/...,/a/...", "/a./b%20/c,/a./b%20/c,/a/b/c"})
    void aPathHasOneFormToSendAndOneToMatch(String sent, String wire, String key) {
        RequestPath path = RequestPath.of(sent);

        assertThat(path.wire()).isEqualTo(wire);
        assertThat(path.key()).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"/tickets/1|", "/A/b|", "/%74ickets|", "/%C3%9C|", "/a%20b|", "/a/../b|", "/a//b|",
                    "/a;x=1/b|/a;x=1/b", "/a%2Fb|/a%2fb", "/a%5Cb|/a%5cb", "/%2574|/t", "/100%2525|/100%",
                    "/100%25|", "/50%25ab|", "/a%2Fb;x|/a%2fb /a%2fb;x /a/b;x",
                    "/%EF%BD%94|/t", "/u%CC%88|/ü"})
    void aPathThatServersReadDifferentlyHasAKeyForEachReading(String sent, String others) {
        assertThat(RequestPath.of(sent).others()).containsExactlyInAnyOrder(
                others == null ? new String[0] : others.split(" "));
    }

    /** Room {@code /tickets/**} and more, and what servers make of the normal form that they get. */
    @Test
    void noServerReadsASpellingAsAPathOfARoomThatTheRoomDoesNotMatch() {
        List<RequestPattern> room = Stream.of("/tickets/**", "/events/*/buy", "/search").map(RequestPattern::parse)
                .flatMap(path -> Stream.of(path, path.otherEnd())).toList();
        int read = 0;
        for (String[] target : new String[][]{{"tickets", "a"}, {"events", "7", "buy"}, {"search"}}) {
            for (String spelling : PathSpellings.of("", target)) {
                RequestPath path;
                try {
                    path = RequestPath.of(spelling.replaceFirst("\\?.*", ""));
                } catch (ProblemException _) {
                    continue;
                }
                if (room.stream().anyMatch(pattern -> pattern.mayMatch(path, null))) {
                    read++;
                } else {
                    assertThat(ServerReadings.of(path.wire())).as(spelling).noneMatch(ServerReadings::isInRoom);
                }
            }
        }
        assertThat(read).as("spellings in the room").isGreaterThan(500);
    }

    @Test
    void aPathInTooManySpellingsIsRefusedInsteadOfRead() {
        assertThatThrownBy(() -> RequestPath.of("/a%252f%2f%5c;x/%EF%BD%94" + "%2541".repeat(500)))
                .isInstanceOf(ProblemException.class).hasMessageContaining("more kinds of escapes");
    }

    @ParameterizedTest
    @CsvSource({"/tickets/a,/tickets/a", "/Tickets/%C3%9C%20b,/Tickets/Ü b", "/a;jsessionid=1,/a", "/a//b,/a/b",
            "/a//b,/a//b", "/100%25,/100%", "/100%25,/100%25", "/a%2Fb,/a/b", "/a%2Fb,/a%2Fb", "/a%5Cb,/a\\b",
            "/a%3Bb,/a;b", "/dir/,/dir/index.html", "/,/index.html", "/a.,/a."})
    void aContainersOwnReadingIsAccepted(String sent, String served) {
        assertThat(RequestPath.of(sent, served).key()).isEqualTo(RequestPath.of(sent).key());
    }

    @ParameterizedTest
    @CsvSource({"/x/;a/../tickets/a,/tickets/a", "/x/.;/../tickets/a,/tickets/a", "/x/../tickets/a,/tickets/a",
            "/tickets/./a,/tickets/a", "/open,/tickets/a", "/%2574ickets,/other", "/dir,/dir/index.html",
            "/a/.;x/b,/a/b", "/a%2F./b,/a/b"})
    void aPathThatTheContainerReadsDifferentlyIsRefused(String sent, String served) {
        assertThatThrownBy(() -> RequestPath.of(sent, served)).isInstanceOf(ProblemException.class)
                .hasMessageContaining("container");
    }

    @Test
    void aFolderIsReadAsTheFileThatTheContainerShowsForIt() {
        assertThat(RequestPattern.parse("/dir/index.html").mayMatch(RequestPath.of("/dir/", "/dir/index.html"), null))
                .isTrue();
        assertThat(RequestPath.of("/dir/", "/dir/index.html").isPlain()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%zz", "/%00", "/a%1fb", "/%7f", "/%C3", "/%C3%28", "/%C0%AE", "/a b", "/é",
            "/public/..%2ftickets", "/tickets/..;/x", "/tickets/%5c../x", "/tickets\\..\\x", "/tickets;a=%2f..",
            "/a\\b", "/x/%252e%252e/tickets", "/x/..%20/y", "/a%2500", "/x/%E2%80%A5"})
    void pathsThatServersReadDifferentlyAreRefused(String path) {
        assertThatThrownBy(() -> RequestPath.of(path)).isInstanceOf(ProblemException.class);
    }

    /** The property that rules rely on, over many spellings. */
    @Test
    void noSpellingOfAPathHasAnotherKey() {
        long seed = Long.getLong("orderly.seed", 20261121L);
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder spelling = new StringBuilder();
            for (char c : "/tickets/buy".toCharArray()) {
                String hex = random.nextBoolean() ? "%%%02x" : "%%%02X";
                spelling.append(switch (random.nextInt(8)) {
                    case 0 -> hex.formatted((int) c);
                    case 1 -> c == '/' ? "//" : String.valueOf(Character.toUpperCase(c));
                    case 2 -> c == '/' ? "/./" : String.valueOf(c);
                    case 3 -> c == '/' ? "/x/../" : String.valueOf(c);
                    case 4 -> c == '/' ? ";a=b/" : String.valueOf(c);
                    default -> String.valueOf(c);
                });
            }
            String sent = "/" + spelling.substring(spelling.charAt(0) == '/' ? 1 : 0);
            String key;
            try {
                key = RequestPath.of(sent).key();
            } catch (ProblemException _) {
                continue;
            }
            assertThat(key).as("seed %s: %s", seed, sent).endsWith("/tickets/buy");
            assertThat(RequestPath.of(RequestPath.of(sent).wire())).as("seed %s: %s", seed, sent)
                    .isEqualTo(RequestPath.of(sent));
        }
    }

    @ParameterizedTest
    @CsvSource({"/tickets/**,/tickets,true", "/tickets/**,/tickets/,true", "/tickets/**,/tickets/a/b,true",
            "/tickets/**,/ticketsx,false", "/**,/,true", "/**,/a/b,true", "/a/*/b,/a/x/b,true", "/a/*/b,/a//b,false",
            "/a/*/b,/a/x/y/b,false", "/x.svg,/x.svg,true", "/x.svg,/x.svg/,false", "/img/*.svg,/img/a.svg,true",
            "/img/*.svg,/img/.svg,true", "/img/*.svg,/img/a.png,false", "/a*b*c,/aXbYbZc,true", "/a*b*c,/aXbY,false",
            "/a/**/z,/a/z,true", "/a/**/z,/a/b/c/z,true", "/a/**/z,/a/b/c,false", "/**/*.png,/a/b.png,true",
            "/**/*.png,/b.png,true", "/Sale/*,/sale/1,true", "/,/,true", "/,/a,false", "/a/,/a/,true", "/a/,/a,false",
            "/a/*,/a,false", "/a/*,/a/,false"})
    void aPatternMatchesKeys(String glob, String key, boolean matches) {
        assertThat(PathGlob.parse(glob).matches(key)).isEqualTo(matches);
    }

    @Test
    void aPatternIsAlsoThatOfTheOtherEndAndInNormalForm() {
        assertThat(PathGlob.parse("/a").otherEnd().matches("/a/")).isTrue();
        assertThat(PathGlob.parse("/a/*").otherEnd().matches("/a/b/")).isTrue();
        assertThat(PathGlob.parse("/a/").otherEnd().matches("/a")).isTrue();
        assertThat(PathGlob.parse("/a/**").otherEnd()).isEqualTo(PathGlob.parse("/a/**"));
        assertThat(PathGlob.parse("/").otherEnd()).isEqualTo(PathGlob.parse("/"));
        assertThat(PathGlob.parse("/gro\u0308\u00dfe").matches(RequestPath.of("/gr%C3%B6%C3%9Fe").key())).isTrue();
    }

    @Test
    void theMoreSpecificPatternComesFirst() {
        List<String> order = List.of("/a/b/c", "/a/b", "/a/b/**", "/a/img*.svg", "/a/*.svg", "/a/*", "/a/**", "/*",
                "/**/x", "/**");
        List<PathGlob> globs = order.stream().map(PathGlob::parse).toList();

        assertThat(globs.reversed().stream().sorted().map(PathGlob::text)).containsExactlyElementsOf(order);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tickets", "/a/../b", "/a//b", "/a/**b", "/a%20b", "/a;b", "/a\\b", "/a?b", "/{x}",
            "/**/**/**/**/**", "/a./b", "/a "})
    void aPatternThatCannotMatchIsRefused(String text) {
        assertThatThrownBy(() -> PathGlob.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    private static RequestHead from(String peer, String... forwardedFor) {
        Headers headers = new HeaderList();
        for (String line : forwardedFor) {
            headers.add("X-Forwarded-For", line);
        }
        return new RequestHead("GET", "/", null, headers, peer, Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-",
            value = {"203.0.113.9|6.6.6.6|203.0.113.9", "10.0.0.1|198.51.100.4|198.51.100.4",
                    "10.0.0.1|6.6.6.6, 198.51.100.4, 10.9.9.9|198.51.100.4", "10.0.0.1|10.0.0.2, 10.0.0.3|10.0.0.2",
                    "10.0.0.1|garbage|10.0.0.1", "10.0.0.1|6.6.6.6, garbage, 10.0.0.2|10.0.0.2",
                    "10.0.0.1|192.0.2.1:4711|192.0.2.1",
                    "10.0.0.1|[2001:db8:1:2:3::4]:80|2001:db8:1:2::/64", "2001:db8:1:2:3::4|-|2001:db8:1:2::/64",
                    "::ffff:192.0.2.7|-|192.0.2.7", "::1|-|0:0:0:0::/64"})
    void aClientIsThePeerOrTheAddressNamedByATrustedProxy(String peer, String forwardedFor, String key) {
        RequestHead head = forwardedFor == null ? from(peer) : from(peer, forwardedFor);
        String found = ClientAddress.of(head, TrustedProxies.of("10.0.0.0/8")).key();

        assertThat(found.replace(":0:0:0:0/64", "::/64")).isEqualTo(key);
    }

    @Test
    void addressBlocksContainTheirAddressesAndInvalidBlocksAreRefused() {
        assertThat(TrustedProxies.of("192.0.2.128/25").containPeer("192.0.2.200")).isTrue();
        assertThat(TrustedProxies.of("192.0.2.128/25").containPeer("192.0.2.100")).isFalse();
        assertThat(TrustedProxies.of("0.0.0.0/0").containPeer("::1")).isFalse();
        assertThat(TrustedProxies.of("2001:db8::/33").containPeer("2001:db8:7fff::1")).isTrue();
        for (String wrong : List.of("10.0.0.1/8", "10.0.0.0/33", "host/8", "10.0.0.0/x", "10.0.0/8 ", "")) {
            assertThatThrownBy(() -> CidrBlock.parse(wrong)).hasMessageContaining("use the form");
        }
    }
}
