package dev.orderly.web.room.check;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whom a {@link JoinCheck} asks about which visitors. Applications change {@link #of}: the constructor may get more
 * parameters.
 *
 * @param url of the program that is asked: http or https with a host, without user and fragment
 * @param when which visitors it is asked about
 * @param crowdedFrom with {@link When#CROWDED}, the number of places that the network of a crowded visitor has taken:
 *     1 or more
 * @param timeout how long an answer may take: 10 ms to 5 s
 * @param onFailure what becomes of a visitor about whom there is no answer
 * @param atOnce the most questions at once, 1 to 10,000; a visitor beyond counts as one without an answer
 * @param headers names of headers of the visitor's request that the question has, at most 16
 */
public record CheckPolicy(URI url, When when, int crowdedFrom, Duration timeout, OnFailure onFailure, int atOnce,
        List<String> headers) {
    public static final int CROWDED_FROM = 20;
    public static final Duration TIMEOUT = Duration.ofMillis(300);
    public static final int AT_ONCE = 64;
    public static final int HEADERS_MAX = 16;

    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int AT_ONCE_MAX = 10_000;

    /** The visitors about whom the program is asked. */
    public enum When {
        /**
         * Visitors whose network (IPv4 /24, IPv6 /48) has taken {@link #crowdedFrom} places or more at this gate, in
         * the gate's present hour and the one before.
         */
        CROWDED,
        /** Every visitor who asks for a place. */
        ALWAYS
    }

    /** What becomes of a visitor without a verdict. */
    public enum OnFailure {
        /** The visitor gets a place. */
        ALLOW,
        /** The visitor gets none, and is asked to come again. */
        REFUSE
    }

    /** @throws IllegalArgumentException naming the setting, the rule and the remedy */
    public CheckPolicy {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(when, "when");
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(onFailure, "onFailure");
        Objects.requireNonNull(headers, "headers");
        headers = headers.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().toList();
        boolean http = Set.of("http", "https").contains(String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT));
        if (!http || url.getHost() == null || url.getRawFragment() != null || url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("The url of a check is not valid: use http:// or https:// with a host,"
                    + " without user and #fragment");
        }
        if (crowdedFrom < 1) {
            throw new IllegalArgumentException("crowded-from is " + crowdedFrom + ": use 1 or more");
        }
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The timeout of a check is " + timeout.toMillis()
                    + " ms: use 10 ms to 5 s, since visitors wait for it");
        }
        if (atOnce < 1 || atOnce > AT_ONCE_MAX) {
            throw new IllegalArgumentException("at-once is " + atOnce + ": use 1 to " + AT_ONCE_MAX);
        }
        if (headers.size() > HEADERS_MAX || !headers.stream().allMatch(CheckPolicy::isHeader)) {
            throw new IllegalArgumentException("The headers of a check are no names of headers, or more than "
                    + HEADERS_MAX + ": list names such as user-agent");
        }
    }

    /** Asks about crowded visitors: 20 places, 300 ms, 64 at once; without an answer they get a place. */
    public static CheckPolicy of(URI url) {
        return new CheckPolicy(url, When.CROWDED, CROWDED_FROM, TIMEOUT, OnFailure.ALLOW, AT_ONCE, List.of());
    }

    public CheckPolicy withWhen(When value) {
        Objects.requireNonNull(value, "value");
        return new CheckPolicy(url, value, crowdedFrom, timeout, onFailure, atOnce, headers);
    }

    public CheckPolicy withCrowdedFrom(int value) {
        return new CheckPolicy(url, when, value, timeout, onFailure, atOnce, headers);
    }

    public CheckPolicy withTimeout(Duration value) {
        Objects.requireNonNull(value, "value");
        return new CheckPolicy(url, when, crowdedFrom, value, onFailure, atOnce, headers);
    }

    public CheckPolicy withOnFailure(OnFailure value) {
        Objects.requireNonNull(value, "value");
        return new CheckPolicy(url, when, crowdedFrom, timeout, value, atOnce, headers);
    }

    public CheckPolicy withAtOnce(int value) {
        return new CheckPolicy(url, when, crowdedFrom, timeout, onFailure, value, headers);
    }

    public CheckPolicy withHeaders(List<String> value) {
        Objects.requireNonNull(value, "value");
        return new CheckPolicy(url, when, crowdedFrom, timeout, onFailure, atOnce, value);
    }

    /** Whether a text is the name of a header. */
    public static boolean isHeader(String name) {
        Objects.requireNonNull(name, "name");
        return HEADER.matcher(name).matches();
    }

    /** Scheme, host, port and path: the form for logs, since a query may have a secret. */
    public String shown() {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port + (url.getRawPath() == null ? "" : url.getRawPath());
    }

    @Override
    public String toString() {
        return "CheckPolicy[" + shown() + " " + when + "]";
    }
}
