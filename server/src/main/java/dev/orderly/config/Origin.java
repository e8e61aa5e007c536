package dev.orderly.config;

/** The place where a value was given, for error messages. */
public sealed interface Origin {
    /** A line of the configuration file, counted from 1. */
    record Line(int number) implements Origin {
        @Override
        public String toString() {
            return "line " + number;
        }
    }

    /** An environment variable. */
    record Variable(String name) implements Origin {
        @Override
        public String toString() {
            return "variable " + name;
        }
    }

    /** An option of the command line. */
    record Flag(String name) implements Origin {
        @Override
        public String toString() {
            return "option " + name;
        }
    }
}
