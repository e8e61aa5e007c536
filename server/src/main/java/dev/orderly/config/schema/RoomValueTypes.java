package dev.orderly.config.schema;

import dev.orderly.http.gateway.Origin.Host;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.text.StoredText;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.header.Authority;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.BypassRule;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.check.CheckPolicy;
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
public final class RoomValueTypes {
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,6}) per ([0-9]{1,9}[a-z]{1,2})");
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,9}[a-z]{1,2})-([0-9]{1,9}[a-z]{1,2})");
    private static final String NONE = "none";
    public static final String ALL_HOSTS = "*";

    private RoomValueTypes() {}

    public static ValueType<RoomName> name() {
        return new ValueType<>(
                "the name of a room: 1 to 40 lower-case letters, digits, '-' and '_', starting with a letter"
                        + " or digit",
                reading(RoomName::new), "sale");
    }

    public static ValueType<URI> origin() {
        return new ValueType<>("scheme, host and port of an http or https site, without a path", reading(
                text -> dev.orderly.http.gateway.Origin.all(URI.create(text)).uri()), "http://127.0.0.1:9000");
    }

    public static ValueType<Host> originHost() {
        return ValueTypes.choice(Host.class);
    }

    public static ValueType<CidrBlock> addresses() {
        return new ValueType<>("an IP address or a block of addresses", reading(CidrBlock::parse), "10.0.0.0/8");
    }

    public static ValueType<PathGlob> paths(String example) {
        return new ValueType<>(
                "a path, decoded, in which * stands for anything inside a segment and a segment ** for any"
                        + " number of segments",
                reading(PathGlob::parse), example);
    }

    public static ValueType<RequestPattern> requests(String example) {
        return new ValueType<>(paths("").rule() + ", and perhaps conditions on the query: ?name=value&name",
                reading(RequestPattern::parse), example);
    }

    public static ValueType<String> hostName() {
        return new ValueType<>("the name of a host, without port", reading(Authority::hostOf), "shop.example.com");
    }

    /** The address of a service over TLS. */
    public static ValueType<URI> address() {
        return new ValueType<>("an https address", text -> reading(URI::create).apply(text)
                .filter(uri -> "https".equals(uri.getScheme()) && uri.getHost() != null),
                "https://acme.example/directory");
    }

    public static ValueType<String> servedHost() {
        return new ValueType<>("the name of a host, without port, or * for all", text -> text.equals(ALL_HOSTS)
                ? Optional.of(text)
                : hostName().read().apply(text), "shop.example.com");
    }

    public static ValueType<String> method() {
        return new ValueType<>("a method in capitals", matching(BypassRule.METHOD), "GET");
    }

    public static ValueType<String> header() {
        return new ValueType<>("the name of a header, or its name and value as \"Name: value\"",
                matching(BypassRule.HEADER),
                "\"X-Health-Check: secret\"", text -> text.replaceFirst(":.*", ": ***"));
    }

    /** The name of a header. */
    public static ValueType<String> headerName() {
        return new ValueType<>("the name of a header", text -> Optional.of(text).filter(CheckPolicy::isHeader),
                "cf-bot-score");
    }

    public static ValueType<Rate> rate(String example) {
        return new ValueType<>("a number of visitors and a time of 1s to 1h", RoomValueTypes::readRate, example);
    }

    /** @param span null for {@code none} */
    public record Longest(@Nullable Duration span) {}

    public static ValueType<Longest> longest(String least, String most, String example) {
        ValueType<Duration> span = ValueTypes.duration(least, most, example);
        return new ValueType<>(span.rule() + ", or none", text -> text.equals(NONE)
                ? Optional.of(new Longest(null))
                : span.read().apply(text).map(Longest::new), example);
    }

    /** @param number null for {@code none} */
    public record Most(@Nullable Integer number) {}

    public static ValueType<Most> most(String example) {
        ValueType<Long> count = ValueTypes.count(1, 10_000, example);
        return new ValueType<>(count.rule() + ", or none", text -> text.equals(NONE)
                ? Optional.of(new Most(null))
                : count.read().apply(text).map(number -> new Most(Math.toIntExact(number))), example);
    }

    /** @param rate null for {@code none} */
    public record Joins(@Nullable Rate rate) {}

    public static ValueType<Joins> joins(String example) {
        return new ValueType<>("a number of places and a time of 1s to 1h, or none",
                text -> text.equals(NONE) ? Optional.of(new Joins(null)) : readRate(text).map(Joins::new), example);
    }

    public static ValueType<LimitTimetable.From> from() {
        return new ValueType<>("a time such as \"10:15\", or a day with it such as 2027-03-01T10:15",
                reading(LimitTimetable.From::parse), "\"10:15\"");
    }

    /** A time with its zone; {@link dev.orderly.room.Opening#parseTime} says what is wrong with one. */
    public static ValueType<String> zonedTime() {
        return new ValueType<>("a time with its zone, such as \"2027-03-01T10:00 Europe/Berlin\"",
                matching(Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8} [A-Za-z0-9+:/_-]{1,60}")),
                "\"2027-03-01T10:00 Europe/Berlin\"");
    }

    public static ValueType<PollPolicy> poll() {
        return new ValueType<>("the least and the most, 1s to 5m", text -> {
            Matcher span = SPAN.matcher(text);
            if (!span.matches()) {
                return Optional.empty();
            }
            Optional<Duration> least = UnitText.duration(span.group(1));
            Optional<Duration> most = UnitText.duration(span.group(2));
            return least.isEmpty() || most.isEmpty()
                    ? Optional.empty()
                    : checked(() -> new PollPolicy(least.get(), most.get()));
        }, "2s-30s");
    }

    public static ValueType<Integer> waitingStatus() {
        return new ValueType<>("503, 429, 202 or 200", text -> Optional.of(text)
                .filter(Set.of("503", "429", "202", "200")::contains).map(Integer::valueOf), "503");
    }

    public static ValueType<String> signIn() {
        return new ValueType<>("an address with http or https, or a path, without a fragment",
                text -> Optional.of(text).filter(GatedRoom::isSignIn), "https://accounts.example.com/sign-in");
    }

    public static ValueType<Double> share(String example) {
        return new ValueType<>("a share, 0% to 100%", UnitText::share, example);
    }

    /** A share in whole per cent. */
    public static ValueType<Integer> wholeShare(String example) {
        return new ValueType<>("a whole share, 1% to 99%", text -> UnitText.share(text).map(share -> share * 100)
                .filter(share -> Math.abs(share - Math.round(share)) < 1e-9 && share > 0.5 && share < 99.5)
                .map(share -> (int) Math.round(share)), example);
    }

    public static ValueType<String> text(int most, String example) {
        return new ValueType<>("a text of 1 to " + most + " characters", text -> Optional.of(text)
                .filter(t -> !t.isBlank() && t.length() <= most && StoredText.isWhole(t)), example);
    }

    private static Optional<Rate> readRate(String text) {
        Matcher form = RATE.matcher(text);
        return form.matches()
                ? UnitText.duration(form.group(2))
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
