package dev.orderly.web.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomName;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.web.header.Junk;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.Headers;
import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.CookieHeaderNames;
import io.netty.handler.codec.http.cookie.DefaultCookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoomCookiesTest {
    private static final RoomCookies SALE = new RoomCookies(new RoomName("sale"));
    private static final String TICKET = "__Host-orderly_t_sale=";
    private static final String PASS = "__Host-orderly_p_sale=";

    private static Headers cookies(String... headers) {
        Headers map = new HeaderList();
        for (String header : headers) {
            map.add("cookie", header);
        }
        return map;
    }

    private static ShownTokens read(String... headers) {
        return SALE.read(cookies(headers), CookieForm.GUARDED);
    }

    @Test
    void aRequestWithoutCookiesHasNoTokens() {
        assertThat(read()).isEqualTo(new ShownTokens(List.of(), List.of()));
        assertThat(read("")).isEqualTo(new ShownTokens(List.of(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {TICKET + "T; " + PASS + "P", "lang=de; " + PASS + "P; " + TICKET + "T; z=1",
            "a; =; ;; =b; c=\"; " + TICKET + "T;" + PASS + "P;", " \t" + TICKET + " T\t ;\t" + PASS + "\"P\" ",
            "\u00e9=\ud83d\ude00; " + TICKET + "T; \0; " + PASS + "P", "x=y,z; " + TICKET + "\"T\"; " + PASS + "P",
            "__Host-orderly_t_sale ; " + TICKET + "T;" + PASS + "P", "__Host-orderly_t_sale =T;" + PASS + "P"})
    void cookiesOfTheRoomAreFoundInAnyPosition(String header) {
        assertThat(read(header)).isEqualTo(new ShownTokens(List.of("T"), List.of("P")));
    }

    @Test
    void everyCookieHeaderIsRead() {
        assertThat(read("a=1; " + TICKET + "T", "b=2", PASS + "P"))
                .isEqualTo(new ShownTokens(List.of("T"), List.of("P")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"__Host-orderly_t_sale2=T", "__Host-orderly_t_sal=T", "__host-orderly_t_sale=T",
            "x__Host-orderly_t_sale=T", "a=__Host-orderly_t_sale=T", "__Host-orderly_t_sale", "=" + TICKET + "T",
            "orderly_t_sale=T", TICKET, TICKET + "\"\"", TICKET + " ", "__Host-orderly_t_=T", "__Host-orderly_t=T"})
    void otherNamesAndEmptyValuesAreIgnored(String header) {
        assertThat(read(header).tickets()).isEmpty();
    }

    @Test
    void onlyPlainNamesCountOnLoopbackAndOnlyThere() {
        Headers both = cookies("orderly_t_sale=plain; " + TICKET + "guarded; orderly_p_sale=P");
        assertThat(SALE.read(both, CookieForm.LOOPBACK)).isEqualTo(new ShownTokens(List.of("plain"), List.of("P")));
        assertThat(SALE.read(both, CookieForm.GUARDED)).isEqualTo(new ShownTokens(List.of("guarded"), List.of()));
    }

    @Test
    void theFirstEightDistinctCookiesOfANameAreTried() {
        assertThat(read(TICKET + "1; " + TICKET + "2; " + TICKET + "1").tickets()).containsExactly("1", "2");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            many.append(TICKET).append(i).append("; ");
        }
        assertThat(read(many.toString()).tickets()).hasSize(8).startsWith("0", "1").endsWith("7");
        assertThat(read(many + PASS + "P").passes()).containsExactly("P");
    }

    @Test
    void aTooLongValueDoesNotCountAsACandidate() {
        String longest = "x".repeat(RoomTokens.TOKEN_MAX);
        assertThat(read((TICKET + longest + "x; ").repeat(9) + TICKET + longest).tickets()).containsExactly(longest);
    }

    @Test
    void headersOfAHundredKilobytesAreReadToTheirEnd() {
        for (String junk : List.of(";", "=", " ", "\"", "a=b; ", "__Host-orderly_t_sale", TICKET + ";", "\u00e9")) {
            String header = junk.repeat(100_000 / junk.length()) + "; " + TICKET + "T";
            assertThat(read(header).tickets()).containsExactly("T");
            Headers stripped = cookies(header);
            RoomCookies.strip(stripped);
            assertThat(SALE.read(stripped, CookieForm.GUARDED).tickets()).isEmpty();
        }
    }

    @Test
    void browserCookiesAreReadLikeAnotherLibrary() {
        Random random = new Random(3);
        String signs = "abcXYZ019-_.!#$%&'()*+/:<=>?@[]^`{|}~";
        for (int i = 0; i < 2_000; i++) {
            StringBuilder header = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                header.append(header.isEmpty() ? "" : "; ").append(random.nextBoolean() ? TICKET : "c" + n + "=");
                for (int length = 1 + random.nextInt(8); length > 0; length--) {
                    header.append(signs.charAt(random.nextInt(signs.length())));
                }
            }
            List<String> expected = ServerCookieDecoder.LAX.decodeAll(header.toString()).stream()
                    .filter(cookie -> cookie.name().equals("__Host-orderly_t_sale")).map(Cookie::value).distinct()
                    .toList();
            assertThat(read(header.toString()).tickets()).as(header.toString()).isEqualTo(expected);
        }
    }

    @Test
    void appsSendTokensInTheAuthorizationHeader() {
        assertThat(authorized("Orderly A").tickets()).containsExactly("A");
        assertThat(authorized("Orderly A").passes()).containsExactly("A");
        assertThat(authorized("orderly   A, ORDERLY\tB").tickets()).containsExactly("A", "B");
        assertThat(authorized("Orderly A, B,,A ,").tickets()).containsExactly("A", "B");
        assertThat(authorized("Bearer X", "Orderly A", "Orderly B").passes()).containsExactly("A", "B");
        assertThat(authorized("Orderly A, Bearer X").tickets()).containsExactly("A");
        for (String other : List.of("", "Orderly", "Orderly ", "OrderlyA", "Bearer Orderly", "Bearer A, Orderly B",
                "Orderly " + "x".repeat(RoomTokens.TOKEN_MAX + 1))) {
            assertThat(authorized(other).tickets()).as(other).isEmpty();
        }
        assertThat(authorized("Orderly " + "A,B,C,D,E,F,G,H,I,J".repeat(10_000)).tickets()).hasSize(8);
    }

    private static ShownTokens authorized(String... values) {
        Headers map = new HeaderList();
        for (String value : values) {
            map.add("authorization", value);
        }
        return SALE.read(map, CookieForm.GUARDED);
    }

    @Test
    void aTokenOfTheHeaderComesBeforeCookies() {
        Headers both = cookies(TICKET + "C; " + PASS + "A").add("Authorization", "Orderly A");
        assertThat(SALE.read(both, CookieForm.GUARDED)).isEqualTo(new ShownTokens(List.of("A", "C"), List.of("A")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, nullValues = "-", value = {
            "a=1; __Host-orderly_t_sale=T; b=2|a=1; b=2", "__Host-orderly_t_sale=T; b=2|b=2",
            "a=1; __Host-orderly_p_sale=P|a=1", "a=1;__Host-orderly_p_sale=P;b=2|a=1;b=2",
            "orderly_t_sale=T; __Host-orderly_t_other=T;  b=2; orderly_p_x=P; c=\"3 \" ;|b=2; c=\"3 \" ;",
            "__Host-orderly_t_sale=T|-", "__Host-orderly_t_sale=T;|-", " __Host-orderly_t_sale = T ; |-",
            "a=1;; =x; y|a=1;; =x; y", "orderly=1; orderly_theme=2; x_orderly_t_sale=3|orderly=1; orderly_theme=2; "
                    + "x_orderly_t_sale=3"})
    void theOriginGetsAllCookiesExceptTokens(String sent, String forwarded) {
        Headers headers = cookies(sent);
        RoomCookies.strip(headers);
        assertThat(headers.getAll("Cookie")).isEqualTo(forwarded == null ? List.of() : List.of(forwarded));
    }

    @Test
    void otherCookiesReachTheOriginByteForByte() {
        Random random = new Random(9);
        Junk junk = new Junk(10, List.of("session", "=", "abc", "orderly", "__Host-", "t_sale"));
        for (int i = 0; i < 5_000; i++) {
            List<String> theirs = new ArrayList<>();
            StringBuilder sent = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                boolean ours = random.nextBoolean();
                String cookie = "c" + n + junk.next().replace(';', ':');
                if (!ours) {
                    theirs.add(cookie);
                }
                sent.append(sent.isEmpty() ? "" : "; ").append(ours ? (random.nextBoolean() ? TICKET : PASS) : cookie);
            }
            Headers headers = cookies(sent.toString());
            RoomCookies.strip(headers);
            assertThat(headers.getAll("Cookie"))
                    .isEqualTo(theirs.isEmpty() ? List.of() : List.of(String.join("; ", theirs)));
        }
    }

    @Test
    void theOriginGetsAllCredentialsExceptTokens() {
        Headers headers = new HeaderList().add("Authorization", "Basic eDp5")
                .add("Authorization", "Orderly A, B").add("Authorization", "Bearer X, Orderly Y")
                .add("authorization", "Orderly A, Digest username=\"o, p\", realm=r").add("X-Other", "Orderly A");
        RoomCookies.strip(headers);
        assertThat(headers.getAll("Authorization")).containsExactly("Basic eDp5", "Bearer X, Orderly Y",
                "Digest username=\"o, p\", realm=r");
        assertThat(headers.get("X-Other")).isEqualTo("Orderly A");
    }

    @Test
    void junkNeverThrowsAndNothingIsFoundInWhatIsForwarded() {
        Junk junk = new Junk(4, List.of(TICKET, PASS, "orderly_t_sale=", "; ", "Orderly ", "Bearer ", "abc", "="));
        for (int i = 0; i < 50_000; i++) {
            Headers headers = cookies(junk.next(), junk.next()).add("Authorization", junk.next());
            SALE.read(headers, CookieForm.GUARDED);
            RoomCookies.strip(headers);
            for (CookieForm form : CookieForm.values()) {
                ShownTokens left = SALE.read(headers, form);
                assertThat(left).as("%s", headers).isEqualTo(new ShownTokens(List.of(), List.of()));
            }
        }
    }

    @Test
    void cookiesLiveAsLongAsTheToken() {
        assertThat(SALE.setTicket("T", Duration.ofHours(24), CookieForm.GUARDED)).isEqualTo(
                "__Host-orderly_t_sale=T; Max-Age=86400; Path=/; Secure; HttpOnly; SameSite=Lax");
        Cookie pass = ClientCookieDecoder.STRICT.decode(SALE.setPass("P", Duration.ofMinutes(5),
                CookieForm.GUARDED));
        assertThat(pass.name()).isEqualTo("__Host-orderly_p_sale");
        assertThat(pass.value()).isEqualTo("P");
        assertThat(pass.maxAge()).isEqualTo(300);
        assertThat(pass.isSecure()).isTrue();
        assertThat(pass.isHttpOnly()).isTrue();
        assertThat(pass.path()).isEqualTo("/");
        assertThat(pass.domain()).isNull();
        assertThat(((DefaultCookie) pass).sameSite()).isEqualTo(CookieHeaderNames.SameSite.Lax);
    }

    @Test
    void cookiesOnLoopbackHavePlainNamesAndNeedNoTls() {
        assertThat(SALE.setPass("P", Duration.ofMinutes(5), CookieForm.LOOPBACK))
                .isEqualTo("orderly_p_sale=P; Max-Age=300; Path=/; HttpOnly; SameSite=Lax");
        assertThat(SALE.setTicket("T", Duration.ofSeconds(-5), CookieForm.LOOPBACK))
                .isEqualTo("orderly_t_sale=T; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    }

    @Test
    void aCookieIsClearedByItsOwnNameAndAttributes() {
        assertThat(SALE.clearTicket(CookieForm.GUARDED))
                .isEqualTo("__Host-orderly_t_sale=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax");
        assertThat(SALE.clearPass(CookieForm.LOOPBACK))
                .isEqualTo("orderly_p_sale=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    }
}
