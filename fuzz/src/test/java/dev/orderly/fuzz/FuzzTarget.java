package dev.orderly.fuzz;

import java.util.Arrays;
import java.util.Locale;

/** The parsers, each with the inputs from which a fuzzer starts in the folder of resources that has its name. */
enum FuzzTarget {
    /** Paths of requests, patterns of rooms and routes. */
    PATHS,
    /** Headers: cookies, forwarded addresses, hosts, languages, media types, forms. */
    HEADERS,
    /** Tokens of users, tickets and passes. */
    TOKENS,
    /** Timings of schedules, durations, times of openings, rules of keys. */
    TIMES,
    /** Configuration files. */
    CONFIG,
    /** Bytes of a connection to the edge over HTTP/1.1. */
    EDGE,
    /** Bytes of a connection to an edge behind a proxy: the header of the PROXY protocol, and what follows. */
    PROXY,
    /** Frames of HTTP/2 after the preface, over TLS. */
    HTTP2,
    /** Bodies of pushes over the API and over a route of the edge. */
    PUSHES;

    /** Takes an input. */
    interface Input {
        /** @throws AssertionError if the input is a finding; so is any other exception */
        void run(byte[] input) throws Exception;
    }

    static FuzzTarget named(String name) {
        return Arrays.stream(values()).filter(target -> target.folder().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No target is named " + name + ": use one of "
                        + Arrays.stream(values()).map(FuzzTarget::folder).toList()));
    }

    /** The name of its folder. */
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What takes the inputs. Of some targets it is a server, for the life of the process. */
    Input start() {
        return switch (this) {
            case PATHS -> PathInput::run;
            case HEADERS -> HeaderInput::run;
            case TOKENS -> new TokenInput();
            case TIMES -> TextInput::run;
            case CONFIG -> ConfigInput::run;
            case EDGE -> ConnectionInput.edge();
            case PROXY -> ConnectionInput.proxied();
            case HTTP2 -> ConnectionInput.http2();
            case PUSHES -> PushInput.start();
        };
    }
}
