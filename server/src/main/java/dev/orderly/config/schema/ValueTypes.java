package dev.orderly.config.schema;

import dev.orderly.http.intake.ContentTypes;
import dev.orderly.job.QueueName;
import dev.orderly.web.path.PathTemplate;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kinds of values of the file's keys. */
public final class ValueTypes {
    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,17}");
    private static final Pattern DECIMAL = Pattern.compile("(0|[1-9][0-9]{0,8})(\\.[0-9]{1,9})?");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]*:"
            + "[0-9A-Fa-f:.]*");
    private static final Pattern VARIABLE = Pattern.compile("(?!ORDERLY_)[A-Za-z_][A-Za-z0-9_]{0,199}");

    private ValueTypes() {}

    public static ValueType<Integer> port(String example) {
        return new ValueType<>("a port: 0 to 65535, where 0 means any free one", text -> whole(text, 0, 65_535)
                .map(Long::intValue), example);
    }

    public static ValueType<String> host() {
        return new ValueType<>("an address or host name to listen on", matching(HOST), "0.0.0.0");
    }

    public static ValueType<Long> count(long least, long most, String example) {
        return new ValueType<>("a whole number, " + least + " to " + most, text -> whole(text, least, most), example);
    }

    public static ValueType<Double> decimal(double least, double most, String example) {
        return new ValueType<>("a number, " + plain(least) + " to " + plain(most), text -> Optional.of(text)
                .filter(DECIMAL.asMatchPredicate()).map(Double::valueOf).filter(v -> v >= least && v <= most), example);
    }

    public static ValueType<Duration> duration(String least, String most, String example) {
        Duration from = UnitText.duration(least).orElseThrow();
        Duration to = UnitText.duration(most).orElseThrow();
        return new ValueType<>("a time with its unit (ms, s, m, h, d), " + least + " to " + most, text -> UnitText
                .duration(text).filter(v -> v.compareTo(from) >= 0 && v.compareTo(to) <= 0), example);
    }

    public static ValueType<Long> size(String least, String most, String example) {
        long from = UnitText.size(least).orElseThrow();
        long to = UnitText.size(most).orElseThrow();
        return new ValueType<>("a size with its unit (B, KiB, MiB, GiB), " + least + " to " + most,
                text -> UnitText.size(text).filter(v -> v >= from && v <= to), example);
    }

    public static ValueType<Boolean> flag() {
        return new ValueType<>("true or false",
                text -> Optional.of(text).filter(Set.of("true", "false")::contains).map(Boolean::valueOf), "true");
    }

    /** A constant of an enum, in lower case with hyphens. */
    public static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        E[] all = type.getEnumConstants();
        String names = Arrays.stream(all).map(ValueTypes::lower).collect(Collectors.joining(" or "));
        return new ValueType<>(names, text -> Arrays.stream(all).filter(e -> lower(e).equals(text)).findFirst(),
                lower(all[0]));
    }

    public static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static ValueType<Path> path(String example) {
        return new ValueType<>("the path of a file",
                text -> Optional.of(text).filter(ValueTypes::isFilePath).map(Path::of),
                example);
    }

    public static ValueType<String> variable(String example) {
        return new ValueType<>("the name of a variable, not beginning with ORDERLY_", matching(VARIABLE), example);
    }

    public static ValueType<QueueName> queue() {
        return new ValueType<>(
                "the name of a queue: 1 to 80 letters, digits, '_', '-' and '.', starting with a letter or"
                        + " digit; it is FIFO if it ends in .fifo",
                text -> {
                    try {
                        return Optional.of(new QueueName(text));
                    } catch (IllegalArgumentException e) {
                        return Optional.empty();
                    }
                }, "emails");
    }

    /** The address of a receiver of requests. */
    public static ValueType<URI> webhook(String example) {
        return new ValueType<>("an absolute http or https address without fragment and user",
                text -> uri(text).filter(uri -> isWebhook(uri) && uri.getRawUserInfo() == null), example);
    }

    public static ValueType<String> mediaType() {
        return new ValueType<>(String.join(", ", ContentTypes.ALL), text -> Optional.of(text)
                .filter(ContentTypes.ALL::contains), "application/json");
    }

    public static ValueType<PathTemplate> routePath() {
        return new ValueType<>(
                "a path whose segments are literal or a name in braces, each name once, not below /.orderly",
                ValueTypes::pattern, "/checkout/{group}/{dedupe}");
    }

    private static Optional<PathTemplate> pattern(String text) {
        boolean reserved = text.equals("/.orderly") || text.startsWith("/.orderly/");
        try {
            return reserved || text.length() > 1_000 ? Optional.empty() : Optional.of(PathTemplate.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether requests may be sent to it. */
    public static boolean isWebhook(URI uri) {
        return uri.getScheme() != null && Set.of("http", "https").contains(uri.getScheme()) && uri.getHost() != null
                && uri.getRawFragment() == null && uri.getPort() != 0
                && uri.getPort() <= 65_535;
    }

    public static Optional<URI> uri(String text) {
        try {
            return text.length() <= 2_000 ? Optional.of(new URI(text)) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    public static boolean isFilePath(String text) {
        try {
            return !text.isBlank() && !text.contains("//") && Path.of(text).getFileName() != null;
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static Optional<Long> whole(String text, long least, long most) {
        return Optional.of(text).filter(WHOLE.asMatchPredicate()).map(Long::valueOf)
                .filter(v -> v >= least && v <= most);
    }

    private static Function<String, Optional<String>> matching(Pattern pattern) {
        Predicate<String> matches = pattern.asMatchPredicate();
        return text -> Optional.of(text).filter(matches);
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
