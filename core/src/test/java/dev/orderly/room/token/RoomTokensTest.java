package dev.orderly.room.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoomTokensTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant NIGHT = NOON.plus(Duration.ofHours(12));
    private static final RoomName SALE = new RoomName("sale");
    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Forger FORGER = new Forger(SECRET);
    private static final RoomTokens TOKENS = new RoomTokens(TokenKeys.of(List.of(SECRET)));
    private static final Ticket TICKET = new Ticket(SALE, new VisitorId(1, 2), 3, 40, 39, NOON, NIGHT);
    private static final Pass PASS = new Pass(SALE, new VisitorId(1, 2), 3, 40, Duration.ofSeconds(61), NOON,
            NOON.plusSeconds(300), NIGHT);

    private static boolean passHoldsAt(Instant now) {
        return TOKENS.pass(TOKENS.sign(PASS), SALE, 3, now).isPresent();
    }

    private static boolean ticketHoldsAt(Instant now) {
        return TOKENS.ticket(TOKENS.sign(TICKET), SALE, 3, now).isPresent();
    }

    @Test
    void signedTokensAreReadBack() {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            Ticket ticket = ticket(random);
            assertThat(TOKENS.ticket(TOKENS.sign(ticket), ticket.room(), ticket.epoch(), ticket.issuedAt()))
                    .contains(ticket);
            Pass pass = pass(random);
            assertThat(TOKENS.pass(TOKENS.sign(pass), pass.room(), pass.epoch(), pass.issuedAt())).contains(pass);
        }
    }

    private static Ticket ticket(Random random) {
        Instant issuedAt = second(random);
        return new Ticket(room(random), VisitorId.random(random), number(random, 0), number(random, 1),
                number(random, 0), issuedAt, issuedAt.plusSeconds(1 + random.nextInt(100_000)),
                random.nextBoolean() ? null : new Ticket.Told(second(random), number(random, 0)));
    }

    private static Pass pass(Random random) {
        Instant issuedAt = second(random);
        Instant latestEnd = random.nextBoolean() ? null : issuedAt.plusSeconds(random.nextInt(1_000_000));
        return new Pass(room(random), VisitorId.random(random), number(random, 0), number(random, 1),
                Duration.ofSeconds(random.nextInt(1_000_000)), issuedAt,
                issuedAt.plusSeconds(1 + random.nextInt(100_000)), latestEnd);
    }

    private static RoomName room(Random random) {
        String letters = "abcdefghijklmnopqrstuvwxyz0123456789-_";
        StringBuilder name = new StringBuilder().append(letters.charAt(random.nextInt(36)));
        int length = random.nextInt(40);
        for (int i = 0; i < length; i++) {
            name.append(letters.charAt(random.nextInt(letters.length())));
        }
        return new RoomName(name.toString());
    }

    /** Numbers of every size up to the largest. */
    private static long number(Random random, long least) {
        return Math.max(least, ((1L << 53) - random.nextInt(2)) >> random.nextInt(54));
    }

    private static Instant second(Random random) {
        return Instant.ofEpochSecond(random.nextLong(0, 253_402_000_000L));
    }

    @Test
    void aTokenIsValidUntilItsEndOnly() {
        assertThat(passHoldsAt(NOON)).isTrue();
        assertThat(passHoldsAt(PASS.expiresAt().minusNanos(1))).isTrue();
        assertThat(passHoldsAt(PASS.expiresAt())).isFalse();
        assertThat(passHoldsAt(PASS.expiresAt().plusSeconds(1))).isFalse();
        assertThat(ticketHoldsAt(NIGHT.minusNanos(1))).isTrue();
        assertThat(ticketHoldsAt(NIGHT)).isFalse();
    }

    @Test
    void aTokenOfANodeWhoseClockIsLessThanAnHourAheadIsValid() {
        assertThat(ticketHoldsAt(NOON.minusSeconds(1))).isTrue();
        assertThat(ticketHoldsAt(NOON.minus(RoomTokens.CLOCK_TOLERANCE))).isTrue();
        assertThat(ticketHoldsAt(NOON.minus(RoomTokens.CLOCK_TOLERANCE).minusNanos(1))).isFalse();
        assertThat(passHoldsAt(NOON.minus(RoomTokens.CLOCK_TOLERANCE).minusNanos(1))).isFalse();
    }

    @Test
    void anExpiredPassIsStillAuthentic() {
        String token = TOKENS.sign(PASS);
        assertThat(TOKENS.pass(token, SALE, 3, NIGHT)).isEmpty();
        assertThat(TOKENS.authenticPass(token, SALE, 3)).contains(PASS);
        assertThat(TOKENS.authenticPass(token, SALE, 4)).isEmpty();
        assertThat(TOKENS.authenticPass(token, new RoomName("other"), 3)).isEmpty();
        assertThat(TOKENS.authenticPass(TOKENS.sign(TICKET), SALE, 3)).isEmpty();
    }

    @Test
    void tokensContainWholeSeconds() {
        Ticket late = new Ticket(SALE, TICKET.visitor(), 3, 40, 39, NOON.plusNanos(999_999_999), NIGHT.plusNanos(1));
        assertThat(TOKENS.ticket(TOKENS.sign(late), SALE, 3, NOON)).contains(TICKET);
    }

    @Test
    void tokensAreShortEnoughForEveryCookieHeader() {
        RoomName usual = new RoomName("x".repeat(20));
        Instant later = NOON.plus(Duration.ofDays(7));
        VisitorId visitor = new VisitorId(-1, -1);
        assertThat(TOKENS.sign(new Ticket(usual, visitor, 999, 9_999_999_999L, 9_999_999_998L, NOON, later)))
                .hasSizeLessThanOrEqualTo(300);
        assertThat(TOKENS.sign(new Ticket(usual, visitor, 999, 9_999_999_999L, 9_999_999_998L, NOON, later,
                new Ticket.Told(later, 9_999_999_998L)))).hasSizeLessThanOrEqualTo(350);
        assertThat(TOKENS.sign(new Pass(usual, visitor, 999, 9_999_999_999L, Duration.ofSeconds(99_999), NOON, later,
                later))).hasSizeLessThanOrEqualTo(300);
    }

    @Test
    void theLongestSignedTokenIsRead() {
        RoomName room = new RoomName("x".repeat(40));
        Instant end = Instant.parse("9999-12-31T23:59:59Z");
        Pass longest = new Pass(room, new VisitorId(-1, -1), 1L << 53, 1L << 53,
                Duration.ofSeconds(end.getEpochSecond()), end, end, end);
        String token = TOKENS.sign(longest);
        assertThat(token).hasSizeLessThanOrEqualTo(RoomTokens.TOKEN_MAX);
        assertThat(TOKENS.authenticPass(token, room, 1L << 53)).contains(longest);
    }

    @Test
    void unreadableTokensAreNotSigned() {
        assertThatThrownBy(() -> TOKENS.sign(new Ticket(SALE, TICKET.visitor(), 3, 0, 0, NOON, NIGHT)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("\"n\"", "0", "use 1 to");
        assertThatThrownBy(() -> TOKENS.sign(new Ticket(SALE, TICKET.visitor(), -1, 1, 0, NOON, NIGHT)))
                .hasMessageContaining("\"ep\"");
        assertThatThrownBy(() -> TOKENS.sign(new Ticket(SALE, TICKET.visitor(), 3, (1L << 53) + 1, 0, NOON, NIGHT)))
                .hasMessageContaining("9007199254740992");
        assertThatThrownBy(() -> TOKENS.sign(new Ticket(SALE, TICKET.visitor(), 3, 1, 0, NIGHT, NOON)))
                .hasMessageContaining("end before");
        assertThatThrownBy(() -> TOKENS.sign(new Pass(SALE, TICKET.visitor(), 3, 1, Duration.ofSeconds(-1), NOON,
                NIGHT, null))).hasMessageContaining("\"w\"");
        assertThatThrownBy(() -> TOKENS.sign(new Pass(SALE, TICKET.visitor(), 3, 1, Duration.ZERO, NOON, NIGHT,
                NOON.minusSeconds(1)))).hasMessageContaining("latest end");
    }

    @Test
    void anotherLibraryAcceptsTickets() throws ParseException, JOSEException {
        SignedJWT jwt = SignedJWT.parse(TOKENS.sign(TICKET));
        assertThat(jwt.verify(new MACVerifier(FORGER.key()))).isTrue();
        assertThat(jwt.getHeader().toJSONObject()).containsOnlyKeys("typ", "alg", "kid")
                .containsEntry("typ", "ot+jwt").containsEntry("alg", "HS256").containsEntry("kid", FORGER.id());
        JWTClaimsSet claims = jwt.getJWTClaimsSet();
        assertThat(claims.getClaims()).containsOnlyKeys("aud", "jti", "ep", "n", "a", "iat", "exp");
        assertThat(claims.getAudience()).containsExactly("sale");
        assertThat(claims.getJWTID()).isEqualTo(TICKET.visitor().toString());
        assertThat(claims.getLongClaim("ep")).isEqualTo(3);
        assertThat(claims.getLongClaim("n")).isEqualTo(40);
        assertThat(claims.getLongClaim("a")).isEqualTo(39);
        assertThat(claims.getIssueTime().toInstant()).isEqualTo(NOON);
        assertThat(claims.getExpirationTime().toInstant()).isEqualTo(NIGHT);
    }

    @Test
    void anotherLibraryAcceptsPasses() throws ParseException, JOSEException {
        SignedJWT jwt = SignedJWT.parse(TOKENS.sign(PASS));
        assertThat(jwt.verify(new MACVerifier(FORGER.key()))).isTrue();
        assertThat(jwt.getHeader().toJSONObject()).containsOnlyKeys("typ", "alg", "kid")
                .containsEntry("typ", "op+jwt");
        assertThat(jwt.getJWTClaimsSet().getClaims())
                .containsOnlyKeys("aud", "jti", "ep", "n", "w", "iat", "exp", "mx");
        assertThat(jwt.getJWTClaimsSet().getLongClaim("w")).isEqualTo(61);
        assertThat(jwt.getJWTClaimsSet().getLongClaim("mx")).isEqualTo(NIGHT.getEpochSecond());
        Pass endless = new Pass(SALE, PASS.visitor(), 3, 40, Duration.ZERO, NOON, NIGHT, null);
        assertThat(SignedJWT.parse(TOKENS.sign(endless)).getJWTClaimsSet().getClaims()).doesNotContainKey("mx");
    }

    @Test
    void tokensOfAnotherLibraryWithTheSameHeaderAreAccepted() throws ParseException, JOSEException {
        JWSHeader header = JWSHeader.parse(Base64URL.encode(FORGER.ticketHeader()));
        assertThat(header.getType()).isEqualTo(new JOSEObjectType("ot+jwt"));
        SignedJWT jwt = new SignedJWT(header, new JWTClaimsSet.Builder().audience("sale")
                .jwtID(TICKET.visitor().toString()).claim("ep", 3).claim("n", 40).claim("a", 39)
                .issueTime(Date.from(NOON)).expirationTime(Date.from(NIGHT)).build());
        jwt.sign(new MACSigner(FORGER.key()));
        assertThat(TOKENS.ticket(jwt.serialize(), SALE, 3, NOON)).contains(TICKET);
    }

    @Test
    void manyThreadsShareOneInstance() throws Exception {
        List<Callable<Boolean>> tasks = IntStream.range(0, 64).<Callable<Boolean>>mapToObj(seed -> () -> {
            Random random = new Random(seed);
            boolean good = true;
            for (int i = 0; i < 200; i++) {
                Pass pass = pass(random);
                String token = TOKENS.sign(pass);
                good &= TOKENS.pass(token, pass.room(), pass.epoch(), pass.issuedAt()).filter(pass::equals)
                        .isPresent();
            }
            return good;
        }).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> done : threads.invokeAll(tasks)) {
                assertThat(done.get()).isTrue();
            }
        }
    }
}
