package dev.orderly.web.message;

/** A header line. A name may occur several times. */
public record Header(String name, String value) {
    boolean isNamed(String other) {
        return name.equalsIgnoreCase(other);
    }
}
