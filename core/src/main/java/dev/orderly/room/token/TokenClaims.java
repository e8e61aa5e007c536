package dev.orderly.room.token;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The payload of a token's JWT. Each claim occurs at most once and within its bounds; unknown claims are ignored, so
 * that nodes of two versions can serve one line.
 */
final class TokenClaims {
    /** A claim that is a whole number. */
    enum Figure {
        EPOCH("ep", 0, TokenClaims.EXACT),
        PLACE("n", 1, TokenClaims.EXACT),
        AHEAD("a", 0, TokenClaims.EXACT),
        TOLD_END("te", 0, TokenClaims.YEAR_9999),
        TOLD_AHEAD("ta", 0, TokenClaims.EXACT),
        WAITED("w", 0, TokenClaims.YEAR_9999),
        ISSUED_AT("iat", 0, TokenClaims.YEAR_9999),
        EXPIRES_AT("exp", 0, TokenClaims.YEAR_9999),
        LATEST_END("mx", 0, TokenClaims.YEAR_9999),
        LINK_END("le", 0, TokenClaims.YEAR_9999),
        PLACE_FROM("pf", 0, TokenClaims.YEAR_9999),
        BROWSER("nb", 0, 1),
        BY_WORK("wk", 0, 1),
        SHARED("sh", 0, 1);

        private final String name;
        private final long min;
        private final long max;

        Figure(String name, long min, long max) {
            this.name = name;
            this.min = min;
            this.max = max;
        }
    }

    /** The largest number that every JSON reader reads exactly: 2^53. */
    private static final long EXACT = 1L << 53;
    /** The last second of a year with four digits. */
    private static final long YEAR_9999 = 253_402_300_799L;

    private static final String ROOM = "aud";
    private static final String VISITOR = "jti";
    private static final Map<String, Figure> FIGURES = Arrays.stream(Figure.values())
            .collect(Collectors.toUnmodifiableMap(figure -> figure.name, figure -> figure));
    private static final JsonFactory JSON = new JsonFactory();

    /** A claim that is a word of letters, digits, '-' and '_'. */
    enum Word {
        NONCE("nc"),
        FIRST_VISITOR("fv");

        private final String name;

        Word(String name) {
            this.name = name;
        }
    }

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,32}");
    private static final Map<String, Word> WORDS = Arrays.stream(Word.values())
            .collect(Collectors.toUnmodifiableMap(word -> word.name, word -> word));

    private Optional<String> room = Optional.empty();
    private Optional<VisitorId> visitor = Optional.empty();
    private final Map<Figure, Long> numbers = new EnumMap<>(Figure.class);
    private final Map<Word, String> words = new EnumMap<>(Word.class);

    private TokenClaims() {}

    static TokenClaims of(RoomName room, VisitorId visitor) {
        TokenClaims claims = new TokenClaims();
        claims.room = Optional.of(room.value());
        claims.visitor = Optional.of(visitor);
        return claims;
    }

    /** @throws RuntimeException if the bytes are not one JSON object whose known claims keep the rules */
    static TokenClaims read(byte[] json) {
        TokenClaims claims = new TokenClaims();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            check(parser.nextToken() == JsonToken.START_OBJECT, "The payload is not an object");
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                check(value != null && value.isScalarValue(), "A claim is not a plain value");
                claims.read(name, parser);
            }
            check(parser.nextToken() == null, "Something follows the payload");
        }
        return claims;
    }

    private void read(String name, JsonParser parser) {
        switch (name) {
            case ROOM -> {
                check(room.isEmpty(), "The room occurs twice");
                room = Optional.of(text(parser));
            }
            case VISITOR -> {
                check(visitor.isEmpty(), "The visitor occurs twice");
                visitor = VisitorId.parse(text(parser));
                check(visitor.isPresent(), "The visitor is not a visitor id");
            }
            case String _ when WORDS.containsKey(name) -> with(Objects.requireNonNull(WORDS.get(name)), text(parser));
            default -> {
                Figure figure = FIGURES.get(name);
                if (figure != null) {
                    check(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, "Not a whole number");
                    with(figure, parser.getLongValue());
                }
            }
        }
    }

    private static String text(JsonParser parser) {
        check(parser.currentToken() == JsonToken.VALUE_STRING, "Not a string");
        return parser.getString();
    }

    /** @throws IllegalArgumentException if the value is out of its bounds, or the claim is already set */
    TokenClaims with(Figure figure, long value) {
        if (value < figure.min || value > figure.max) {
            throw new IllegalArgumentException("Claim \"" + figure.name + "\" of a room token is " + value + ": use "
                    + figure.min + " to " + figure.max);
        }
        check(numbers.put(figure, value) == null, "A number occurs twice");
        return this;
    }

    /** @throws IllegalArgumentException if the value is no word, or the claim is already set */
    TokenClaims with(Word word, String value) {
        check(WORD.matcher(value).matches(), "Not a word");
        check(words.put(word, value) == null, "A word occurs twice");
        return this;
    }

    Optional<String> optional(Word word) {
        return Optional.ofNullable(words.get(word));
    }

    /** @throws RuntimeException if the token expires before it was issued, or one of the two times is missing */
    TokenClaims checkOrder() {
        long issuedAt = number(Figure.ISSUED_AT);
        check(issuedAt <= number(Figure.EXPIRES_AT), "A room token cannot end before it was issued: check its times");
        check(issuedAt <= optional(Figure.LATEST_END).orElse(issuedAt),
                "A pass cannot have its latest end before it was issued: check its times");
        return this;
    }

    boolean isFor(RoomName wanted) {
        return room.isPresent() && room.get().equals(wanted.value());
    }

    VisitorId visitor() {
        return visitor.orElseThrow();
    }

    /** @throws java.util.NoSuchElementException if the claim is missing */
    long number(Figure figure) {
        return optional(figure).orElseThrow();
    }

    Optional<Long> optional(Figure figure) {
        return Optional.ofNullable(numbers.get(figure));
    }

    /** Compact JSON. No value needs escaping: names of rooms and visitors have letters, digits, '-' and '_'. */
    byte[] json() {
        StringBuilder json = new StringBuilder(160).append("{\"" + ROOM + "\":\"").append(room.orElseThrow())
                .append("\",\"" + VISITOR + "\":\"").append(visitor.orElseThrow()).append('"');
        numbers.forEach((figure, value) -> json.append(",\"").append(figure.name).append("\":").append(value));
        words.forEach((word, value) -> json.append(",\"").append(word.name).append("\":\"").append(value).append('"'));
        return json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void check(boolean kept, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(rule);
        }
    }
}
