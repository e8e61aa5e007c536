package dev.orderly.http.message;

/** One header line. A name may be there several times. */
public record Header(String name, String value) {
    boolean isNamed(String other) {
        return name.equalsIgnoreCase(other);
    }
}
