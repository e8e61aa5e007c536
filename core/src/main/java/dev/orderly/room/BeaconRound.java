package dev.orderly.room;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A round of drand, whose random number a server fetches from an address when it is known.
 *
 * @param address of its JSON document
 * @param number of the round, from 1
 */
public record BeaconRound(URI address, long number) {
    /** In an address: the first round of a known chain that is not earlier than the beacon's moment. */
    static final String PLACEHOLDER = "{round}";

    private static final Pattern ADDRESS = Pattern.compile("(?i)https?://.*");
    private static final Pattern PATH = Pattern.compile("(?:/.*)?/public/([1-9][0-9]{0,17})");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.[0-9.]+|\\[::1]");
    private static final Pattern RANDOMNESS = Pattern.compile("[0-9a-f]{64}");
    private static final String FORM = ": use https://HOST/CHAIN/public/ROUND, or write words before an address whose"
            + " value is typed";

    /** @throws IllegalArgumentException if the number is not positive */
    public BeaconRound {
        Objects.requireNonNull(address, "address");
        if (number < 1) {
            throw new IllegalArgumentException("Round " + number + " of drand: they count from 1");
        }
    }

    /** A chain whose rounds have known moments. */
    private record Chain(Instant genesis, Duration period) {
        Instant moment(long round) {
            return genesis.plus(period.multipliedBy(round - 1));
        }

        long firstFrom(Instant at) {
            long seconds = Math.max(0, Duration.between(genesis, at).plusNanos(999_999_999).toSeconds());
            return Math.ceilDiv(seconds, period.toSeconds()) + 1;
        }
    }

    /** The chains of the League of Entropy, by the hash that is part of their addresses. */
    private static final Map<String, Chain> CHAINS = Map.of(
            "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
            new Chain(Instant.ofEpochSecond(1_692_803_367), Duration.ofSeconds(3)),
            "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
            new Chain(Instant.ofEpochSecond(1_595_431_050), Duration.ofSeconds(30)));

    private static Optional<Chain> chain(String address) {
        return CHAINS.entrySet().stream().filter(each -> address.contains("/" + each.getKey() + "/public/"))
                .map(Map.Entry::getValue).findFirst();
    }

    /** The source with the number of its round. */
    static String resolved(String source, Instant at) {
        if (!ADDRESS.matcher(source).matches() || !source.contains(PLACEHOLDER)) {
            return source;
        }
        Chain chain = chain(source).orElseThrow(() -> refused(source, "has " + PLACEHOLDER
                + ", and the times of its rounds are not known: write the number of the round"));
        return source.replace(PLACEHOLDER, Long.toString(chain.firstFrom(at)));
    }

    /**
     * The round of a beacon; empty for one whose value is typed.
     *
     * @throws IllegalArgumentException if the source is an address of something else, or of a round that is known
     *     before the beacon's moment
     */
    static Optional<BeaconRound> of(Beacon beacon) {
        String source = beacon.source();
        if (!ADDRESS.matcher(source).matches()) {
            return Optional.empty();
        }
        URI address;
        try {
            address = URI.create(source);
        } catch (IllegalArgumentException _) {
            throw refused(source, "is no address" + FORM);
        }
        String host = address.getHost();
        if (host == null || address.getRawUserInfo() != null || address.getRawQuery() != null
                || address.getRawFragment() != null) {
            throw refused(source, "has no host, or has a user, a query or a fragment" + FORM);
        }
        if (!address.getScheme().equalsIgnoreCase("https")
                && !LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
            throw refused(source, "is not encrypted: use https, or http to this machine");
        }
        Matcher path = PATH.matcher(address.getRawPath());
        if (!path.matches()) {
            throw refused(source, "names no round of drand" + FORM);
        }
        long number = Long.parseLong(path.group(1));
        chain(source).map(chain -> chain.moment(number)).filter(moment -> moment.isBefore(beacon.at()))
                .ifPresent(moment -> {
                    throw refused(source, "names a round of " + moment + ", before beacon-at " + beacon.at()
                            + ": name a later round, or write " + PLACEHOLDER);
                });
        return Optional.of(new BeaconRound(address, number));
    }

    /**
     * The random number of a round.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static String randomness(String text) {
        Objects.requireNonNull(text, "text");
        if (!RANDOMNESS.matcher(text).matches()) {
            throw new IllegalArgumentException("The value of a round of drand is its randomness: use the 64 digits 0-9"
                    + " and a-f of the document");
        }
        return text;
    }

    private static IllegalArgumentException refused(String source, String why) {
        return new IllegalArgumentException("The beacon " + source + " " + why);
    }
}
