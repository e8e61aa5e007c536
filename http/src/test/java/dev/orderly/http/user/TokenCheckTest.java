package dev.orderly.http.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.orderly.testkit.ManualTime;
import dev.orderly.user.UserId;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authentication.Known;
import dev.orderly.web.user.Authentication.Rejected;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCheckTest {
    private static final List<Key> SECRET = List.of(new SecretKeySpec(Tokens.SECRET, "HmacSHA256"));

    private final ManualTime time = new ManualTime();
    private final Instant later = time.now().plusSeconds(600);
    private final TokenCheck shared = check((algorithm, _) -> algorithm.equals("HS256") ? SECRET : List.of());

    @Test
    void aTokenNamesItsUserAndExpiry() {
        Known known = shared.check(Tokens.of("ada", later)) instanceof Known user ? user : null;
        assertThat(known).extracting(Known::user, Known::until).containsExactly(new UserId("ada"), later);
    }

    @Test
    void aTokenOfAnotherLibraryIsAccepted() throws Exception {
        JWTClaimsSet claims = new JWTClaimsSet.Builder().subject("ada").expirationTime(Date.from(later)).build();
        SignedJWT hs = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
        hs.sign(new MACSigner(Tokens.SECRET));
        Issuer issuer = Issuer.of("RS256", "k");
        SignedJWT rs = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k").build(), claims);
        rs.sign(new RSASSASigner(issuer.pair().getPrivate()));
        assertThat(shared.check(hs.serialize())).isInstanceOf(Known.class);
        assertThat(check(KeySet.parse(Issuer.set(issuer))::fitting).check(rs.serialize())).isInstanceOf(Known.class);
    }

    @ParameterizedTest
    @MethodSource("dev.orderly.http.user.Issuer#algorithms")
    void eachTypeOfPublishedKeyVerifiesItsOwnTokensOnly(String algorithm) {
        Issuer issuer = Issuer.of(algorithm, "k");
        TokenCheck check = check(KeySet.parse(Issuer.set(issuer))::fitting);
        assertThat(check.check(issuer.token(Tokens.claims("ada", later)))).isInstanceOf(Known.class);
        assertRejected(check.check(Issuer.of(algorithm, "k").token(Tokens.claims("ada", later))), "signature");
        assertRejected(check.check(Issuer.of(algorithm, "x").token(Tokens.claims("ada", later))), "no key");
    }

    @Test
    void aTokenWithoutKeyIdIsTriedWithEachKeyOfItsAlgorithm() {
        Issuer first = Issuer.of("ES256", "a");
        Issuer second = Issuer.of("ES256", "b");
        TokenCheck check = check((algorithm, _) -> KeySet.parse(Issuer.set(first, second)).fitting(algorithm, null));
        assertThat(check.check(second.token(Tokens.claims("ada", later)))).isInstanceOf(Known.class);
    }

    @Test
    void theAlgorithmNoneIsRefused() {
        String claims = Tokens.part(Tokens.json(Tokens.claims("ada", later)));
        for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
            String head = Tokens.part("{\"alg\":\"" + none + "\"}");
            assertThat(shared.check(head + "." + claims + ".")).isInstanceOf(Rejected.class);
            assertThat(shared.check(head + "." + claims + ".AA")).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void aPublicKeyIsNotUsedAsASecret() {
        Issuer issuer = Issuer.of("RS256", "k");
        TokenCheck check = check(KeySet.parse(Issuer.set(issuer))::fitting);
        Map<String, Object> head = Map.of("alg", "HS256", "kid", "k");
        byte[] known = issuer.pair().getPublic().getEncoded();
        assertRejected(check.check(Tokens.hs256(head, Tokens.claims("ada", later), known)), "no key");
    }

    @Test
    void anAlgorithmOfAnotherKeyTypeIsRefused() {
        Issuer rsa = Issuer.of("RS256", "k");
        Issuer ed = Issuer.of("EdDSA", "k");
        assertRejected(check(KeySet.parse(Issuer.set(rsa))::fitting).check(ed.token(Tokens.claims("ada", later))),
                "no key");
        assertRejected(shared.check(rsa.token(Tokens.claims("ada", later))), "no key");
        assertThat(shared.check(Tokens.hs256(Map.of("alg", "HS512"), Tokens.claims("ada", later), Tokens.SECRET)))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void aTokenExpiresWithHalfAMinuteOfLeeway() {
        String token = Tokens.of("ada", later);
        time.advance(Duration.ofSeconds(600 + 29));
        assertThat(shared.check(token)).isInstanceOf(Known.class);
        time.advance(Duration.ofSeconds(2));
        assertRejected(shared.check(token), "expired");
    }

    @Test
    void aTokenBecomesValidWithHalfAMinuteOfLeeway() {
        Map<String, Object> claims = Tokens.claims("ada", later);
        claims.put("nbf", time.now().plusSeconds(40).getEpochSecond());
        String token = Tokens.hs256(claims, Tokens.SECRET);
        assertRejected(shared.check(token), "yet");
        time.advance(Duration.ofSeconds(11));
        assertThat(shared.check(token)).isInstanceOf(Known.class);
    }

    @Test
    void issuerAndAudienceMustMatchTheOptions() {
        TokenCheck check = new TokenCheck((_, _) -> SECRET, "https://id.example", "shop", time);
        Map<String, Object> claims = Tokens.claims("ada", later);
        assertRejected(check.check(Tokens.hs256(claims, Tokens.SECRET)), "issuer");
        claims.put("iss", "https://id.example/");
        claims.put("aud", List.of("bank", "shop"));
        assertRejected(check.check(Tokens.hs256(claims, Tokens.SECRET)), "issuer");
        claims.put("iss", "https://id.example");
        assertThat(check.check(Tokens.hs256(claims, Tokens.SECRET))).isInstanceOf(Known.class);
        claims.put("aud", "Shop");
        assertRejected(check.check(Tokens.hs256(claims, Tokens.SECRET)), "audience");
        claims.remove("aud");
        assertRejected(check.check(Tokens.hs256(claims, Tokens.SECRET)), "audience");
        claims.put("aud", "any");
        assertThat(shared.check(Tokens.hs256(claims, Tokens.SECRET))).isInstanceOf(Known.class);
    }

    @Test
    void aTokenWithoutExpiryOrUserIsRefused() {
        assertRejected(shared.check(Tokens.hs256(Map.of("sub", "ada"), Tokens.SECRET)), "exp");
        assertRejected(shared.check(Tokens.hs256(Map.of("exp", later.getEpochSecond()), Tokens.SECRET)), "sub");
    }

    @Test
    void aTokenWithAnInvalidUserIdIsRefused() {
        assertThat(shared.check(Tokens.of("u".repeat(UserId.MAX), later))).isInstanceOf(Known.class);
        assertRejected(shared.check(Tokens.of("u".repeat(UserId.MAX + 1), later)), "sub");
        assertRejected(shared.check(Tokens.of("a\nb", later)), "sub");
        assertThat(shared.check(Tokens.of("", later))).isInstanceOf(Rejected.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"sub\":7,\"exp\":9999999999}", "{\"sub\":\"a\",\"exp\":\"9999999999\"}",
            "{\"sub\":\"a\",\"exp\":null}", "{\"sub\":\"a\",\"exp\":-1}",
            "{\"sub\":\"a\",\"sub\":\"b\",\"exp\":9999999999}",
            "[]", "null", "{", ""})
    void claimsOfAWrongTypeAreRefused(String claims) {
        assertThat(shared.check(Tokens.hs256("{\"alg\":\"HS256\"}", claims, Tokens.SECRET)))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void anExpiryBeyondTheLastInstantIsAccepted() {
        String claims = "{\"sub\":\"a\",\"exp\":" + Long.MAX_VALUE + "}";
        assertThat(shared.check(Tokens.hs256("{\"alg\":\"HS256\"}", claims, Tokens.SECRET)))
                .extracting("until").isEqualTo(Instant.MAX);
    }

    @Test
    void aTokenTellsTheTextsOfItsClaims() {
        String claims = "{\"sub\":\"a\",\"exp\":" + later.getEpochSecond() + ",\"tier\":\"gold\",\"level\":3,"
                + "\"press\":true,\"roles\":[\"a\",7,{}],\"none\":null,\"deep\":{\"tier\":\"gold\"}}";
        Known known = (Known) shared.check(Tokens.hs256("{\"alg\":\"HS256\"}", claims, Tokens.SECRET));
        assertThat(Map.of("tier", "gold", "level", "3", "press", "true", "sub", "a"))
                .allSatisfy((claim, text) -> assertThat(known.has(claim, text)).as(claim).isTrue());
        assertThat(known.has("roles", "a")).isTrue();
        assertThat(known.has("roles", "7")).isTrue();
        assertThat(known.has("roles", "{}")).isFalse();
        assertThat(known.has("none", "null")).isFalse();
        assertThat(known.has("deep", "gold")).isFalse();
        assertThat(known.has("tier", "Gold")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"alg\":\"HS256\",\"crit\":[\"exp\"]}", "{\"alg\":\"HS256\",\"crit\":[]}",
            "{\"alg\":\"HS256\",\"crit\":[\"b64\"],\"b64\":false}", "{\"alg\":\"HS256\",\"b64\":false}",
            "{\"alg\":\"none\",\"alg\":\"HS256\"}", "{\"alg\":[\"HS256\"]}", "{\"alg\":null}", "{}", "[]", "\"HS256\""})
    void headersWithUnsupportedExtensionsAreRefused(String head) {
        String claims = Tokens.json(Tokens.claims("ada", later));
        assertThat(shared.check(Tokens.hs256(head, claims, Tokens.SECRET))).isInstanceOf(Rejected.class);
    }

    @Test
    void anAlteredTokenIsRefused() {
        String token = Tokens.of("ada", later);
        for (int cut = 0; cut < token.length(); cut++) {
            assertThat(shared.check(token.substring(0, cut))).isInstanceOf(Rejected.class);
            assertThat(shared.check(token.substring(cut + 1))).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void anyOtherSpellingOfATokenIsRefused() {
        String token = Tokens.of("ada", later);
        for (String odd : List.of(token + "=", token + "==", token + ".", token + ".x.y", "." + token, token + "\n",
                " " + token, token.replace(".", ".."), token.replace(".", ".\u0000"), token + "é", token + "ａ",
                token.replaceFirst("\\.", "%2E"), token + "," + token, "", ".", "..", "...")) {
            assertThat(shared.check(odd)).as(odd).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void aTokenBeyondTheMaximumLengthIsRefused() {
        assertRejected(shared.check("a".repeat(100_000)), "characters");
        assertThat(shared.check(Tokens.hs256("{\"alg\":\"HS256\"}", "[".repeat(5_900), Tokens.SECRET)))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void aReasonRevealsNothingOfTheToken() {
        Map<String, Object> claims = Tokens.claims("ada", later);
        claims.put("card", "4711");
        Rejected rejected = (Rejected) shared.check(Tokens.hs256(claims, "x".repeat(32).getBytes(
                StandardCharsets.US_ASCII)));
        assertThat(rejected.reason()).doesNotContain("4711", "ada", "eyJ");
    }

    private TokenCheck check(VerificationKeys keys) {
        return new TokenCheck(keys, null, null, time);
    }

    private static void assertRejected(Authentication found, String reason) {
        assertThat(found).isInstanceOfSatisfying(Rejected.class,
                rejected -> assertThat(rejected.reason()).contains(reason));
    }
}
