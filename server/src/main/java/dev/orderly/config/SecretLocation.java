package dev.orderly.config;

import java.nio.file.Path;

/** The place of a secret that is shared with another program. */
public sealed interface SecretLocation {
    /** A variable of the process. */
    record Variable(String name) implements SecretLocation {
        @Override
        public String toString() {
            return "variable " + name;
        }
    }

    /** A file; surrounding blanks and line ends are ignored. */
    record SecretFile(Path file) implements SecretLocation {
        @Override
        public String toString() {
            return "file " + file;
        }
    }
}
