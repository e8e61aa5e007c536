package dev.orderly.trace;

import org.jspecify.annotations.Nullable;

/**
 * The port of a tracing system: records the spans of pushes, attempts and forwarded requests. Called on hot paths and
 * on event loops: implementations never block, never throw and are bounded in memory. Thread-safe.
 */
public interface Tracer {
    /** Records nothing. Contexts of requests still travel with their jobs. */
    Tracer NONE = new Tracer() {
        @Override
        public @Nullable TraceContext current() {
            return null;
        }

        @Override
        public Span push(String queue, int jobs, @Nullable TraceContext parent) {
            return Span.none(parent);
        }

        @Override
        public Span attempt(Attempt attempt, @Nullable TraceContext pushed) {
            return Span.none(pushed);
        }

        @Override
        public Span request(String method, @Nullable TraceContext parent) {
            return Span.none(parent);
        }
    };

    /**
     * An attempt of a job.
     *
     * @param job its id
     * @param number of the attempt
     * @param bytes of the payload
     */
    record Attempt(String queue, String job, int number, int bytes) {}

    /** The span that is current on this thread, such as that of an application's own request; null for none. */
    @Nullable
    TraceContext current();

    /**
     * Starts the span of a push.
     *
     * @param jobs their number
     * @param parent the context of the pushing request; null for none
     */
    Span push(String queue, int jobs, @Nullable TraceContext parent);

    /**
     * Starts the span of an attempt.
     *
     * @param pushed the context that was stored with the job; null for none
     */
    Span attempt(Attempt attempt, @Nullable TraceContext pushed);

    /**
     * Starts the span of a request that is forwarded to an origin.
     *
     * @param parent the context that the client sent; null for none
     */
    Span request(String method, @Nullable TraceContext parent);

    /** A span under way. Ended once. */
    interface Span {
        /** The context for all that this span causes; null for none. */
        @Nullable
        TraceContext context();

        /** Makes the span current on this thread until the scope is closed, on the same thread. */
        Scope enter();

        /** Ends the span. */
        void end();

        /**
         * Ends the span as failed.
         *
         * @param type kind of the failure, such as the name of an exception's class; never its message, which may hold
         *     data of users
         */
        void failed(String type);

        /**
         * Ends the span of a request.
         *
         * @param status of the answer; 0 if the client left before one began
         */
        void answered(int status);

        /** A span that is not recorded and passes its context on. */
        static Span none(@Nullable TraceContext context) {
            return context == null ? Unrecorded.WITHOUT : new Unrecorded(context);
        }
    }

    /** The time in which a span is current on a thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /** A span that is not recorded. */
    record Unrecorded(@Nullable TraceContext context) implements Span {
        private static final Unrecorded WITHOUT = new Unrecorded(null);
        private static final Scope NOTHING = () -> {};

        @Override
        public Scope enter() {
            return NOTHING;
        }

        @Override
        public void end() {}

        @Override
        public void failed(String type) {}

        @Override
        public void answered(int status) {}
    }
}
