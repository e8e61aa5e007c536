package dev.orderly.config;

import dev.orderly.http.gateway.CidrBlock;
import dev.orderly.http.gateway.Origin.Host;
import dev.orderly.http.gateway.PathGlob;
import dev.orderly.http.header.Authority;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.text.StoredText;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kinds of values of rooms and origins. */
final class RoomKinds {
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,6}) per ([0-9]{1,9}[a-z]{1,2})");
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,9}[a-z]{1,2})-([0-9]{1,9}[a-z]{1,2})");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}");
    private static final Pattern HEADER = Pattern.compile(TOKEN.pattern() + "(: [\\x21-\\x7e]([\\x20-\\x7e]{0,998}"
            + "[\\x21-\\x7e])?)?");
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final String NONE = "none";
    static final String ALL_HOSTS = "*";

    private RoomKinds() {}

    static Kind<RoomName> name() {
        return new Kind<>("the name of a room: 1 to 40 lower-case letters, digits, '-' and '_', starting with a letter"
                + " or digit", reading(RoomName::new), "sale");
    }

    static Kind<URI> origin() {
        return new Kind<>("scheme, host and port of an http or https site, without a path", reading(
                text -> dev.orderly.http.gateway.Origin.all(URI.create(text)).uri()), "http://127.0.0.1:9000");
    }

    static Kind<Host> originHost() {
        return Kinds.choice(Host.class);
    }

    static Kind<CidrBlock> addresses() {
        return new Kind<>("an IP address or a block of addresses", reading(CidrBlock::parse), "10.0.0.0/8");
    }

    static Kind<PathGlob> paths(String example) {
        return new Kind<>("a path, decoded, in which * stands for anything inside a segment and a segment ** for any"
                + " number of segments", reading(PathGlob::parse), example);
    }

    static Kind<String> hostName() {
        return new Kind<>("the name of a host, without port", reading(Authority::hostOf), "shop.example.com");
    }

    static Kind<String> servedHost() {
        return new Kind<>("the name of a host, without port, or * for all", text -> text.equals(ALL_HOSTS)
                ? Optional.of(text)
                : hostName().read().apply(text), "shop.example.com");
    }

    static Kind<String> method() {
        return new Kind<>("a method in capitals", matching(METHOD), "GET");
    }

    static Kind<String> header() {
        return new Kind<>("the name of a header, or its name and value as \"Name: value\"", matching(HEADER),
                "\"X-Health-Check: secret\"");
    }

    static Kind<Rate> rate(String example) {
        return new Kind<>("a number of visitors and a time of 1s to 1h", RoomKinds::readRate, example);
    }

    /** @param span null for {@code none} */
    record Longest(@Nullable Duration span) {}

    static Kind<Longest> longest(String least, String most, String example) {
        Kind<Duration> span = Kinds.duration(least, most, example);
        return new Kind<>(span.rule() + ", or none", text -> text.equals(NONE)
                ? Optional.of(new Longest(null))
                : span.read().apply(text).map(Longest::new), example);
    }

    /** @param number null for {@code none} */
    record Most(@Nullable Integer number) {}

    static Kind<Most> most(String example) {
        Kind<Long> count = Kinds.count(1, 10_000, example);
        return new Kind<>(count.rule() + ", or none", text -> text.equals(NONE)
                ? Optional.of(new Most(null))
                : count.read().apply(text).map(number -> new Most(Math.toIntExact(number))), example);
    }

    /** @param rate null for {@code none} */
    record Joins(@Nullable Rate rate) {}

    static Kind<Joins> joins(String example) {
        return new Kind<>("a number of places and a time of 1s to 1h, or none",
                text -> text.equals(NONE) ? Optional.of(new Joins(null)) : readRate(text).map(Joins::new), example);
    }

    static Kind<PollPolicy> poll() {
        return new Kind<>("the least and the most, 1s to 5m", text -> {
            Matcher span = SPAN.matcher(text);
            if (!span.matches()) {
                return Optional.empty();
            }
            Optional<Duration> least = Amounts.duration(span.group(1));
            Optional<Duration> most = Amounts.duration(span.group(2));
            return least.isEmpty() || most.isEmpty()
                    ? Optional.empty()
                    : checked(() -> new PollPolicy(least.get(), most.get()));
        }, "2s-30s");
    }

    static Kind<Integer> waitingStatus() {
        return new Kind<>("503, 429, 202 or 200", text -> Optional.of(text)
                .filter(Set.of("503", "429", "202", "200")::contains).map(Integer::valueOf), "503");
    }

    static Kind<Double> share(String example) {
        return new Kind<>("a share, 0% to 100%", Amounts::share, example);
    }

    static Kind<String> text(int most, String example) {
        return new Kind<>("a text of 1 to " + most + " characters", text -> Optional.of(text)
                .filter(t -> !t.isBlank() && t.length() <= most && StoredText.isWhole(t)), example);
    }

    private static Optional<Rate> readRate(String text) {
        Matcher form = RATE.matcher(text);
        return form.matches()
                ? Amounts.duration(form.group(2))
                        .flatMap(span -> checked(() -> new Rate(Integer.parseInt(form.group(1)), span)))
                : Optional.empty();
    }

    private static <T> Function<String, Optional<T>> reading(Function<String, T> parse) {
        return text -> text.length() > 2_000 ? Optional.empty() : checked(() -> parse.apply(text));
    }

    private static <T> Optional<T> checked(Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Function<String, Optional<String>> matching(Pattern pattern) {
        return text -> Optional.of(text).filter(pattern.asMatchPredicate());
    }
}
