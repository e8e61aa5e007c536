package dev.orderly.config.source;

/** The place where a value was given, for error messages. */
public sealed interface ValueOrigin {
    /** A line of the configuration file, counted from 1. */
    record FileLine(int number) implements ValueOrigin {
        @Override
        public String toString() {
            return "line " + number;
        }
    }

    /** An environment variable. */
    record Variable(String name) implements ValueOrigin {
        @Override
        public String toString() {
            return "variable " + name;
        }
    }

    /** An option of the command line. */
    record Flag(String name) implements ValueOrigin {
        @Override
        public String toString() {
            return "option " + name;
        }
    }
}
