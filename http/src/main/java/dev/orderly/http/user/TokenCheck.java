package dev.orderly.http.user;

import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authentication.Known;
import dev.orderly.web.user.Authentication.Rejected;
import dev.orderly.web.user.Authentication.Unavailable;
import java.security.Key;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a token and names its user. Never throws, for any text; reveals nothing of the token's content but the user.
 */
final class TokenCheck {
    static final int TOKEN_MAX = 8 << 10;
    static final int LEEWAY_SECONDS = 30;

    /** The exact form of a token: the library would ignore invalid characters. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    private static final Rejected UNSIGNED = new Rejected("The token's signature is not valid");
    private static final Rejected MALFORMED = new Rejected("The token is not a signed JWT: get a new one");

    private final VerificationKeys keys;
    private final @Nullable String issuer;
    private final @Nullable String audience;
    private final Time time;

    TokenCheck(VerificationKeys keys, @Nullable String issuer, @Nullable String audience, Time time) {
        this.keys = keys;
        this.issuer = issuer;
        this.audience = audience;
        this.time = time;
    }

    Authentication check(String token) {
        if (token.length() > TOKEN_MAX) {
            return new Rejected("The token has more than " + TOKEN_MAX + " characters");
        }
        if (!FORM.matcher(token).matches()) {
            return MALFORMED;
        }
        try {
            return checked(token);
        } catch (JoseException | RuntimeException _) {
            return MALFORMED;
        }
    }

    private Authentication checked(String token) throws JoseException {
        JsonWebSignature head = new JsonWebSignature();
        head.setCompactSerialization(token);
        if (head.getObjectHeader("crit") != null || head.getObjectHeader("b64") != null) {
            return new Rejected("The token has critical headers, which this server does not support");
        }
        String algorithm = head.getAlgorithmHeaderValue();
        if (algorithm == null) {
            return MALFORMED;
        }
        List<Key> fitting = keys.fitting(algorithm, head.getKeyIdHeaderValue());
        if (fitting.isEmpty() && !keys.areKnown()) {
            return new Unavailable("The keys that verify tokens are out of reach: try again later");
        }
        Authentication result = new Rejected("This server has no key for the token's algorithm and key id");
        for (Key key : fitting) {
            result = checked(token, algorithm, key);
            if (!result.equals(UNSIGNED)) {
                return result;
            }
        }
        return result;
    }

    private Authentication checked(String token, String algorithm, Key key) {
        JwtConsumerBuilder rules = new JwtConsumerBuilder().setVerificationKey(key)
                .setJwsAlgorithmConstraints(new AlgorithmConstraints(ConstraintType.PERMIT, algorithm))
                .setEvaluationTime(NumericDate.fromSeconds(time.now().getEpochSecond()))
                .setAllowedClockSkewInSeconds(LEEWAY_SECONDS).setRequireExpirationTime().setRequireSubject();
        if (issuer != null) {
            rules.setExpectedIssuer(true, issuer);
        }
        if (audience == null) {
            rules.setSkipDefaultAudienceValidation();
        } else {
            rules.setExpectedAudience(true, audience);
        }
        try {
            return user(rules.build().processToClaims(token));
        } catch (InvalidJwtException e) {
            return reason(e);
        } catch (MalformedClaimException _) {
            return MALFORMED;
        }
    }

    private static Authentication user(JwtClaims claims) throws MalformedClaimException {
        UserId user;
        try {
            user = new UserId(claims.getSubject());
        } catch (IllegalArgumentException e) {
            return new Rejected("The token's sub is no user: " + e.getMessage());
        }
        return new Known(user, moment(claims.getExpirationTime().getValue()), texts(claims));
    }

    private static Map<String, List<String>> texts(JwtClaims claims) {
        Map<String, List<String>> texts = new HashMap<>();
        claims.getClaimsMap().forEach((name, value) -> {
            Collection<?> values = value instanceof Collection<?> list ? list : Arrays.asList(value);
            texts.put(name, values.stream()
                    .filter(each -> each instanceof String || each instanceof Number || each instanceof Boolean)
                    .map(Object::toString).toList());
        });
        return texts;
    }

    private static Instant moment(long seconds) {
        try {
            return Instant.ofEpochSecond(seconds);
        } catch (DateTimeException _) {
            return Instant.MAX;
        }
    }

    private static Rejected reason(InvalidJwtException e) {
        if (e.hasErrorCode(ErrorCodes.SIGNATURE_INVALID)) {
            return UNSIGNED;
        }
        if (e.hasErrorCode(ErrorCodes.EXPIRED)) {
            return new Rejected("The token has expired: get a new one");
        }
        if (e.hasErrorCode(ErrorCodes.EXPIRATION_MISSING)) {
            return new Rejected("The token has no exp: only tokens with an expiry are accepted");
        }
        if (e.hasErrorCode(ErrorCodes.NOT_YET_VALID)) {
            return new Rejected("The token is not valid yet: check the clocks");
        }
        if (e.hasErrorCode(ErrorCodes.ISSUER_INVALID) || e.hasErrorCode(ErrorCodes.ISSUER_MISSING)) {
            return new Rejected("The token has another issuer");
        }
        if (e.hasErrorCode(ErrorCodes.AUDIENCE_INVALID) || e.hasErrorCode(ErrorCodes.AUDIENCE_MISSING)) {
            return new Rejected("The token is for another audience");
        }
        return e.hasErrorCode(ErrorCodes.SUBJECT_MISSING)
                ? new Rejected("The token has no sub, which names the user")
                : MALFORMED;
    }
}
