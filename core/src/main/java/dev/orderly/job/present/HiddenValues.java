package dev.orderly.job.present;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** The masked values of a job, found again in other texts. */
final class HiddenValues {
    /** Values of less characters are words of many texts, so that they count as whole words only. */
    private static final int SHORT = 4;
    /** Upper bound of the values that are looked for. */
    private static final int VALUES_MAX = 1_000;
    /** Words of JSON, which tell nothing. */
    private static final Set<String> WORDS = Set.of("true", "false", "null");

    private HiddenValues() {}

    /** The texts and numbers in a JSON value. */
    static void ofJson(String json, Consumer<String> values) {
        try (JsonParser parser = JsonMapper.shared().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING || token.isNumeric()) {
                    values.accept(parser.getString());
                }
            }
        }
    }

    /** What masks the values in a text, the longest ones first. */
    static UnaryOperator<String> masking(Collection<String> values, String mask) {
        String any = values.stream().filter(value -> !value.isBlank() && !WORDS.contains(value)).limit(VALUES_MAX)
                .flatMap(HiddenValues::spellings).distinct()
                .sorted(Comparator.comparingInt(String::length).reversed()).map(HiddenValues::pattern)
                .collect(Collectors.joining("|"));
        if (any.isEmpty()) {
            return UnaryOperator.identity();
        }
        Pattern hidden = Pattern.compile(any, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        return text -> hidden.matcher(text).replaceAll(Matcher.quoteReplacement(mask));
    }

    private static Stream<String> spellings(String value) {
        String json = JsonMapper.shared().writeValueAsString(value);
        String form = URLEncoder.encode(value, StandardCharsets.UTF_8);
        return Stream.of(value, json.substring(1, json.length() - 1), form, form.replace("+", "%20"));
    }

    private static String pattern(String value) {
        String quoted = Pattern.quote(value);
        return value.length() >= SHORT ? quoted : "(?<![\\p{L}\\p{N}])" + quoted + "(?![\\p{L}\\p{N}])";
    }
}
