package dev.orderly.room.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every token that Orderly did not sign exactly so counts as none, and no method throws. */
class RoomTokenAttacksTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant NIGHT = NOON.plus(Duration.ofHours(12));
    private static final RoomName SALE = new RoomName("sale");
    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER = "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII);
    private static final Forger FORGER = new Forger(SECRET);
    private static final RoomTokens TOKENS = new RoomTokens(TokenKeys.of(List.of(SECRET)));
    private static final VisitorId VISITOR = new VisitorId(1, 2);
    private static final Ticket TICKET = new Ticket(SALE, VISITOR, 3, 40, 39, NOON, NIGHT);
    private static final Pass PASS = new Pass(SALE, VISITOR, 3, 40, Duration.ofSeconds(61), NOON, NIGHT, NIGHT);
    private static final String GOOD_TICKET = TOKENS.sign(TICKET);
    private static final String GOOD_PASS = TOKENS.sign(PASS);
    private static final String TICKET_CLAIMS = claims(GOOD_TICKET);
    private static final String PASS_CLAIMS = claims(GOOD_PASS);

    private static String claims(String token) {
        return new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.US_ASCII);
    }

    private static void assertNone(String token) {
        assertThat(TOKENS.ticket(token, SALE, 3, NOON)).as("ticket %s", token).isEmpty();
        assertThat(TOKENS.pass(token, SALE, 3, NOON)).as("pass %s", token).isEmpty();
        assertThat(TOKENS.authenticPass(token, SALE, 3)).as("authentic pass %s", token).isEmpty();
        assertThat(TOKENS.linked(token, SALE, 3, NOON)).as("link %s", token).isEmpty();
    }

    /** Checks that a ticket with this payload and a right signature counts as none. */
    private static void assertNoTicket(String payload) {
        assertNone(FORGER.token(FORGER.ticketHeader(), payload));
    }

    @Test
    void theForgerCanMakeValidTokens() {
        assertThat(FORGER.token(FORGER.ticketHeader(), TICKET_CLAIMS)).isEqualTo(GOOD_TICKET);
        assertThat(FORGER.token(FORGER.passHeader(), PASS_CLAIMS)).isEqualTo(GOOD_PASS);
        assertThat(TOKENS.ticket(GOOD_TICKET, SALE, 3, NOON)).contains(TICKET);
        assertThat(TOKENS.pass(GOOD_PASS, SALE, 3, NOON)).contains(PASS);
    }

    @Test
    void aTicketIsNotAPassAndAPassIsNotATicket() {
        assertThat(TOKENS.pass(GOOD_TICKET, SALE, 3, NOON)).isEmpty();
        assertThat(TOKENS.authenticPass(GOOD_TICKET, SALE, 3)).isEmpty();
        assertThat(TOKENS.ticket(GOOD_PASS, SALE, 3, NOON)).isEmpty();
        assertNone(swapped(GOOD_TICKET, GOOD_PASS, 0));
        assertNone(swapped(GOOD_PASS, GOOD_TICKET, 0));
        assertNone(swapped(GOOD_TICKET, GOOD_PASS, 1));
        assertNone(swapped(GOOD_TICKET, GOOD_PASS, 2));
    }

    @Test
    void aLinkCountsForItsRoomEpochAndMinutesAndAsNothingElse() {
        Instant end = NOON.plusSeconds(300);
        String link = TOKENS.signLink(TICKET, end);
        assertThat(TOKENS.linked(link, SALE, 3, NOON)).contains(TICKET);
        assertThat(TOKENS.linked(link, SALE, 3, end.minusSeconds(1))).contains(TICKET);
        assertThat(TOKENS.linked(link, SALE, 3, end)).isEmpty();
        assertThat(TOKENS.linked(link, SALE, 4, NOON)).isEmpty();
        assertThat(TOKENS.linked(link, new RoomName("other"), 3, NOON)).isEmpty();
        assertThat(TOKENS.linked(TOKENS.signLink(TICKET, NIGHT.plusSeconds(60)), SALE, 3, NIGHT)).isEmpty();
        assertThat(TOKENS.ticket(link, SALE, 3, NOON)).isEmpty();
        assertThat(TOKENS.authenticTicket(link, SALE)).isEmpty();
        assertThat(TOKENS.authenticPass(link, SALE, 3)).isEmpty();
        assertThat(link.length()).isLessThan(RoomTokens.TOKEN_MAX - 100);
        for (int at = 0; at < link.length(); at++) {
            char other = link.charAt(at) == 'A' ? 'B' : 'A';
            assertNone(link.substring(0, at) + other + link.substring(at + 1));
        }
        for (int part = 0; part < 3; part++) {
            assertNone(swapped(link, GOOD_TICKET, part));
        }
    }

    /** The first token with one part of the second. */
    private static String swapped(String token, String other, int part) {
        String[] parts = token.split("\\.", -1);
        parts[part] = other.split("\\.", -1)[part];
        return String.join(".", parts);
    }

    @Test
    void aTokenIsValidForItsOwnRoomAndNoLaterEpochOnly() {
        for (RoomName room : List.of(new RoomName("sal"), new RoomName("sale2"), new RoomName("other"))) {
            assertThat(TOKENS.ticket(GOOD_TICKET, room, 3, NOON)).isEmpty();
            assertThat(TOKENS.pass(GOOD_PASS, room, 3, NOON)).isEmpty();
        }
        for (long epoch : new long[]{4, 5, Long.MAX_VALUE}) {
            assertThat(TOKENS.ticket(GOOD_TICKET, SALE, epoch, NOON)).isEmpty();
            assertThat(TOKENS.pass(GOOD_PASS, SALE, epoch, NOON)).isEmpty();
        }
        for (long epoch : new long[]{1, 2, 3}) {
            assertThat(TOKENS.ticket(GOOD_TICKET, SALE, epoch, NOON)).isPresent();
            assertThat(TOKENS.pass(GOOD_PASS, SALE, epoch, NOON)).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "", "hs256", "HS384", "HS512", "RS256", "ES256", "EdDSA"})
    void onlyHs256IsAccepted(String algorithm) {
        String header = FORGER.header("ot+jwt", algorithm);
        assertNone(FORGER.token(header, TICKET_CLAIMS));
        String unsigned = Forger.base64(header.getBytes(StandardCharsets.UTF_8)) + "."
                + Forger.base64(TICKET_CLAIMS.getBytes(StandardCharsets.UTF_8));
        assertNone(unsigned);
        assertNone(unsigned + ".");
    }

    @Test
    void anotherHashUnderTheSameHeaderIsRefused() {
        for (String algorithm : List.of("HmacSHA1", "HmacSHA384", "HmacSHA512")) {
            assertNone(FORGER.token(FORGER.ticketHeader(), TICKET_CLAIMS, algorithm));
            assertNone(FORGER.token(FORGER.header("ot+jwt", algorithm.replace("HmacSHA", "HS")), TICKET_CLAIMS,
                    algorithm));
        }
    }

    @Test
    void anotherSpellingOfTheHeaderIsRefusedDespiteItsSignature() {
        String id = FORGER.id();
        for (String header : List.of(
                "{\"alg\":\"HS256\",\"typ\":\"ot+jwt\",\"kid\":\"" + id + "\"}",
                "{\"typ\":\"ot+jwt\", \"alg\":\"HS256\",\"kid\":\"" + id + "\"}",
                "{\"typ\":\"ot+jwt\",\"alg\":\"HS256\",\"kid\":\"" + id + "\",\"kid\":\"" + id + "\"}",
                "{\"typ\":\"ot+jwt\",\"alg\":\"HS256\",\"kid\":\"" + id + "\",\"crit\":[\"b64\"],\"b64\":false}",
                "{\"typ\":\"ot+jwt\",\"alg\":\"HS256\"}",
                FORGER.header("JWT", "HS256"), FORGER.header("OT+JWT", "HS256"),
                FORGER.header("application/ot+jwt", "HS256"), FORGER.header("", "HS256"), "{}", "")) {
            assertNone(FORGER.token(header, TICKET_CLAIMS));
        }
    }

    @Test
    void anUnknownKeyIdIsRefused() {
        for (String id : List.of("", "AAAAAA", "../../etc/passwd", "' or 1=1", FORGER.id() + "x",
                FORGER.id().substring(1), new Forger(OTHER).id())) {
            assertNone(FORGER.token(Forger.header("ot+jwt", "HS256", id), TICKET_CLAIMS));
        }
    }

    @Test
    void anotherKeyUnderAKnownKeyIdIsRefused() {
        assertNone(new Forger(OTHER).token(FORGER.ticketHeader(), TICKET_CLAIMS));
        assertNone(new Forger(OTHER).token(FORGER.passHeader(), PASS_CLAIMS));
        assertNone(new Forger(new byte[0]).token(FORGER.ticketHeader(), TICKET_CLAIMS));
    }

    @Test
    void theSecretIsNotTheSigningKey() {
        String input = GOOD_TICKET.substring(0, GOOD_TICKET.lastIndexOf('.'));
        String token = Forger.signed(input, SECRET, "HmacSHA256");
        assertThat(token).startsWith(input).hasSameSizeAs(GOOD_TICKET).isNotEqualTo(GOOD_TICKET);
        assertNone(token);
    }

    @Test
    void noCharacterOfATokenCanBeChanged() {
        String signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= "
                + "\n\r\t\0\u00e9\u0130\u212a";
        for (String token : List.of(GOOD_TICKET, GOOD_PASS)) {
            StringBuilder changed = new StringBuilder(token);
            for (int at = 0; at < token.length(); at++) {
                for (int i = 0; i < signs.length(); i++) {
                    if (signs.charAt(i) != token.charAt(at)) {
                        changed.setCharAt(at, signs.charAt(i));
                        assertNone(changed.toString());
                    }
                }
                changed.setCharAt(at, (char) (token.charAt(at) + 0x100));
                assertNone(changed.toString());
                changed.setCharAt(at, token.charAt(at));
            }
        }
    }

    @Test
    void noPartOfATokenIsAToken() {
        for (String token : List.of(GOOD_TICKET, GOOD_PASS)) {
            for (int length = 0; length < token.length(); length++) {
                assertNone(token.substring(0, length));
                assertNone(token.substring(token.length() - length));
            }
            for (int at = 0; at < token.length(); at++) {
                assertNone(token.substring(0, at) + token.substring(at + 1));
            }
        }
    }

    @Test
    void nothingCanBeAddedToAToken() {
        String[] parts = GOOD_TICKET.split("\\.", -1);
        for (String added : List.of("=", "==", ".", "..", " ", "\n", "\0", "A", "\ud83d\ude00", "." + parts[2])) {
            assertNone(GOOD_TICKET + added);
            assertNone(added + GOOD_TICKET);
            assertNone(parts[0] + added + "." + parts[1] + "." + parts[2]);
            assertNone(parts[0] + "." + parts[1] + added + "." + parts[2]);
            assertNone(parts[0] + "." + added + parts[1] + "." + parts[2]);
            assertNone(parts[0] + "." + parts[1] + "." + added + parts[2]);
        }
        assertNone(GOOD_TICKET + parts[2]);
        assertNone(GOOD_TICKET + GOOD_TICKET);
        assertNone(GOOD_TICKET + "." + GOOD_TICKET);
        assertNone("\"" + GOOD_TICKET + "\"");
    }

    @Test
    void anotherEncodingOfThePayloadIsRefusedDespiteItsSignature() {
        String header = Forger.base64(FORGER.ticketHeader().getBytes(StandardCharsets.UTF_8)) + ".";
        String room = "{\"xx\":1," + TICKET_CLAIMS.substring(1);
        for (String claims : List.of(room, room.replace("xx", "xxx"), room.replace("xx", "xxxx"))) {
            String payload = Forger.base64(claims.getBytes(StandardCharsets.UTF_8));
            assertThat(TOKENS.ticket(FORGER.signed(header + payload), SALE, 3, NOON)).contains(TICKET);
            assertNone(FORGER.signed(header + payload + "="));
            assertNone(FORGER.signed(header + payload + "=="));
            assertNone(FORGER.signed(header + payload + "\n"));
            assertNone(FORGER.signed(header + payload + "."));
            assertNone(FORGER.signed(header + payload.substring(0, 4) + " " + payload.substring(4)));
            if (payload.length() % 4 != 0) {
                char last = payload.charAt(payload.length() - 1);
                String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
                char sloppy = alphabet.charAt(alphabet.indexOf(last) + 1);
                assertNone(FORGER.signed(header + payload.substring(0, payload.length() - 1) + sloppy));
            }
        }
    }

    @Test
    void textsOfAnyLengthAreHandled() {
        assertNone("");
        assertNone("A".repeat(100_000));
        assertNone(".".repeat(100_000));
        assertNone(GOOD_TICKET + "A".repeat(100_000));
        String padded = "{\"pad\":\"" + "x".repeat(100_000) + "\"," + TICKET_CLAIMS.substring(1);
        assertNoTicket(padded);
        assertNoTicket("{\"pad\":\"" + "x".repeat(200) + "\"," + TICKET_CLAIMS.substring(1));
        assertNone("\0");
        assertNone("\ud83d\ude00\ud83d\ude00.\ud83d.\ude00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9007199254740993", "9223372036854775807", "9223372036854775808",
            "99999999999999999999999999999999999999", "-9223372036854775808", "1.0", "40.0", "4e1", "1e400", "NaN",
            "Infinity", "0x28", "040", "+40", "\"40\"", "true", "null", "[40]", "{\"n\":40}", "", "40 40", "'40'"})
    void aPlaceIsAWholeNumberFromOne(String place) {
        assertNoTicket(TICKET_CLAIMS.replace("\"n\":40", "\"n\":" + place));
        assertNone(FORGER.token(FORGER.passHeader(), PASS_CLAIMS.replace("\"n\":40", "\"n\":" + place)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "99999999999999999999", "1.5", "1e1", "\"1\"", "null", "[]", "true"})
    void everyNumberIsWholeAndWithinItsBounds(String bad) {
        for (String claim : List.of("ep", "a", "iat", "exp")) {
            assertNoTicket(TICKET_CLAIMS.replaceFirst("\"" + claim + "\":\\d+", "\"" + claim + "\":" + bad));
        }
        for (String claim : List.of("ep", "w", "iat", "exp", "mx")) {
            assertNone(FORGER.token(FORGER.passHeader(),
                    PASS_CLAIMS.replaceFirst("\"" + claim + "\":\\d+", "\"" + claim + "\":" + bad)));
        }
    }

    @Test
    void aTokenThatExpiresBeforeItWasIssuedIsRefused() {
        String noon = Long.toString(NOON.getEpochSecond());
        String night = Long.toString(NIGHT.getEpochSecond());
        String swapped = TICKET_CLAIMS.replace(noon, "x").replace(night, noon).replace("x", night);
        Instant before = NOON.minusSeconds(60);
        assertThat(TOKENS.ticket(FORGER.token(FORGER.ticketHeader(), swapped), SALE, 3, before)).isEmpty();
        assertThat(TOKENS.authenticPass(FORGER.token(FORGER.passHeader(),
                PASS_CLAIMS.replace("\"mx\":" + night, "\"mx\":1")), SALE, 3)).isEmpty();
    }

    @Test
    void theRoomAndTheVisitorAreStrings() {
        for (String bad : List.of("[\"sale\"]", "7", "null", "\"SALE\"", "\"sale \"", "\"\"", "\"sale\\u0000\"")) {
            assertNoTicket(TICKET_CLAIMS.replace("\"sale\"", bad));
        }
        String visitor = "\"" + VISITOR + "\"";
        for (String bad : List.of("7", "null", "\"\"", "\"" + VISITOR + "A\"", "\"" + VISITOR + "=\"",
                visitor.replace("g\"", "h\""), visitor.replace('A', '\u0100'), "[" + visitor + "]")) {
            assertNoTicket(TICKET_CLAIMS.replace(visitor, bad));
        }
    }

    @Test
    void aRepeatedClaimVoidsTheToken() {
        for (String twice : List.of("\"n\":40", "\"n\":1", "\"aud\":\"sale\"", "\"aud\":\"other\"", "\"ep\":3",
                "\"a\":39", "\"exp\":" + NIGHT.getEpochSecond(), "\"iat\":" + NOON.getEpochSecond(),
                "\"jti\":\"" + VISITOR + "\"", "\"\\u006e\":40")) {
            assertNoTicket("{" + twice + "," + TICKET_CLAIMS.substring(1));
            assertNoTicket(TICKET_CLAIMS.substring(0, TICKET_CLAIMS.length() - 1) + "," + twice + "}");
        }
    }

    @Test
    void aMissingClaimVoidsTheToken() {
        for (String claim : List.of("aud", "jti", "ep", "n", "a", "iat", "exp")) {
            assertNoTicket(TICKET_CLAIMS.replace("\"" + claim + "\"", "\"" + claim + "_\""));
        }
        assertNone(FORGER.token(FORGER.passHeader(), PASS_CLAIMS.replace("\"w\"", "\"v\"")));
        assertNone(FORGER.token(FORGER.passHeader(), TICKET_CLAIMS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "40", "\"{}\"", "[]", "{}", "{", "}", "{}{}", "\0", "[[[[[[[[", "{\"n\":",
            "// x", "\ufeff{}"})
    void aPayloadThatIsNotOneObjectIsRefused(String payload) {
        assertNoTicket(payload);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "{}", "}", ",", "null", "40", "\0", "// x", "[", "\""})
    void bytesAfterThePayloadAreRefused(String more) {
        assertNoTicket(TICKET_CLAIMS + more);
    }

    @Test
    void signedNonsenseIsRefused() {
        Random random = new Random(5);
        String header = Forger.base64(FORGER.ticketHeader().getBytes(StandardCharsets.UTF_8)) + ".";
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = TICKET_CLAIMS.getBytes(StandardCharsets.UTF_8);
            for (int n = 0; n <= i % 4; n++) {
                bytes[random.nextInt(10)] = (byte) (random.nextBoolean() ? 0 : 0x80 + random.nextInt(0x80));
            }
            assertNone(FORGER.signed(header + Forger.base64(bytes)));
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            assertNone(FORGER.signed(header + Forger.base64(noise)));
        }
    }
}
