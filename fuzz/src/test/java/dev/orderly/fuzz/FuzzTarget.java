package dev.orderly.fuzz;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parsers, each with the inputs from which a fuzzer starts in the folder of resources that has its name. */
enum FuzzTarget {
    /** Paths of requests, patterns of rooms and routes. */
    PATHS(() -> PathInput::run),
    /** Headers: cookies, forwarded addresses, hosts, languages, media types, forms. */
    HEADERS(() -> HeaderInput::run),
    /** Tokens of users, tickets and passes. */
    TOKENS(TokenInput::new),
    /** Timings of schedules, durations, times of openings, rules of keys. */
    TIMES(() -> TextInput::run),
    /** Configuration files. */
    CONFIG(() -> ConfigInput::run),
    /** Bytes of a connection to the edge over HTTP/1.1. */
    EDGE(() -> ConnectionInput.edge()),
    /** Bytes of a connection to an edge behind a proxy: the header of the PROXY protocol, and what follows. */
    PROXY(() -> ConnectionInput.proxied()),
    /** Frames of HTTP/2 after the preface, over TLS. */
    HTTP2(() -> ConnectionInput.http2()),
    /** Bodies of pushes over the API and over a route of the edge. */
    PUSHES(() -> PushInput.start());

    private final Supplier<Input> supplier;
    private @Nullable Input started;

    /** Takes an input. */
    interface Input {
        /** @throws AssertionError if the input is a finding; so is any other exception */
        void run(byte[] input) throws Exception;
    }

    FuzzTarget(Supplier<Input> supplier) {
        this.supplier = supplier;
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

    /** Starts the server of a target that has one, for the life of the process. */
    Input start() {
        Input input = started == null ? supplier.get() : started;
        started = input;
        return input;
    }

    void run(byte[] input) throws Exception {
        start().run(input);
    }
}
