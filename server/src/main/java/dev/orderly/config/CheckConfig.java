package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.CheckPolicy.OnFailure;
import dev.orderly.web.room.check.CheckPolicy.When;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The check of visitors who ask for a place in a room of the file. */
final class CheckConfig {
    static final KeySpec.Key<URI> URL = new KeySpec.Key<>("url", ValueTypes.webhook("http://127.0.0.1:9000/check"),
            new Absent.Refused(), "The program that is asked, by a signed POST.");
    static final KeySpec.Key<When> WHEN = new KeySpec.Key<>("when", ValueTypes.choice(When.class),
            new Absent.Means("crowded"),
            "Whether it is asked about each visitor who wants a place, or about those whose network (IPv4 /24, IPv6"
                    + " /48) has taken `crowded-from` places or more at this gate in its present hour and the one"
                    + " before.");
    static final KeySpec.Key<Long> CROWDED_FROM = new KeySpec.Key<>("crowded-from",
            ValueTypes.count(1, 1_000_000, "20"), new Absent.Means(Integer.toString(CheckPolicy.CROWDED_FROM)),
            "The places of a crowded network.");
    static final KeySpec.Key<Duration> TIMEOUT = new KeySpec.Key<>("timeout",
            ValueTypes.duration("10ms", "5s", "300ms"), new Absent.Means(UnitText.text(CheckPolicy.TIMEOUT)),
            "How long an answer may take.");
    static final KeySpec.Key<OnFailure> ON_FAILURE = new KeySpec.Key<>("on-failure",
            ValueTypes.choice(OnFailure.class), new Absent.Means("allow"),
            "What becomes of a visitor about whom there is no answer: a place, or a page that asks again.");
    static final KeySpec.Key<Long> AT_ONCE = new KeySpec.Key<>("at-once", ValueTypes.count(1, 10_000, "64"),
            new Absent.Means(Integer.toString(CheckPolicy.AT_ONCE)),
            "Upper bound of questions at once at each gate; a visitor beyond counts as one without an answer.");
    static final Many<String> HEADERS = new Many<>("headers", RoomValueTypes.headerName(), new Absent.Depends("none"),
            "Headers of the visitor's request that the program gets beside `user-agent`; at most 16.");
    static final Group CHECK = new Group("check",
            List.of(URL, WHEN, CROWDED_FROM, TIMEOUT, ON_FAILURE, AT_ONCE, HEADERS),
            "A program of yours decides which visitors get a place, which wait before, and which get none.", true);

    private CheckConfig() {}

    static @Nullable CheckPolicy read(CheckedSection room) {
        CheckedSection at = room.below(CHECK);
        Optional<URI> url = room.has(CHECK) ? at.value(URL) : Optional.empty();
        if (url.isEmpty()) {
            return null;
        }
        List<String> headers = at.values(HEADERS);
        if (headers.size() > CheckPolicy.HEADERS_MAX) {
            at.report(HEADERS, "It lists " + headers.size() + " headers, and a question has at most "
                    + CheckPolicy.HEADERS_MAX, "leave some out");
            return null;
        }
        return CheckPolicy.of(url.get()).withWhen(at.value(WHEN).orElse(When.CROWDED))
                .withCrowdedFrom(at.value(CROWDED_FROM).map(Math::toIntExact).orElse(CheckPolicy.CROWDED_FROM))
                .withTimeout(at.value(TIMEOUT).orElse(CheckPolicy.TIMEOUT))
                .withOnFailure(at.value(ON_FAILURE).orElse(OnFailure.ALLOW))
                .withAtOnce(at.value(AT_ONCE).map(Math::toIntExact).orElse(CheckPolicy.AT_ONCE))
                .withHeaders(headers);
    }

    /** Its part of the room's line in the log. */
    static String inForce(CheckPolicy check) {
        return "check by " + check.shown() + " when " + ValueTypes.lower(check.when())
                + (check.when() == When.CROWDED ? " from " + check.crowdedFrom() : "") + " timeout "
                + UnitText.text(check.timeout()) + " on-failure " + ValueTypes.lower(check.onFailure()) + " at-once "
                + check.atOnce();
    }
}
