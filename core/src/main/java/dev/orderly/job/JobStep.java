package dev.orderly.job;

import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A step of a job that is done: a named part of the work of its handler, whose value is kept with the job, so that a
 * later attempt gets the value in place of a second run. Gone with the job.
 *
 * @param name see {@link #checkName}
 * @param attempt number of the attempt that ran it
 * @param keptAt moment at which it was kept
 * @param value what it returned; null for nothing
 */
public record JobStep(String name, int attempt, Instant keptAt, @Nullable Payload value) {
    /** The largest number of characters of a name. */
    public static final int NAME_MAX = 64;
    /** The largest value, in bytes. */
    public static final int VALUE_MAX = 64 << 10;
    /** The largest number of bytes of the values and names of a job together. */
    public static final int BYTES_MAX = 256 << 10;
    /** The largest number of steps of a job. */
    public static final int STEPS_MAX = 1_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0," + (NAME_MAX - 1) + "}");

    public JobStep {
        checkName(name);
        Objects.requireNonNull(keptAt, "keptAt");
    }

    /**
     * Checks the name of a step.
     *
     * @return the name
     * @throws IllegalArgumentException unless it has 1 to {@value #NAME_MAX} letters, digits, {@code _}, {@code -},
     *     {@code .} and {@code :}, starting with a letter or digit
     */
    public static String checkName(String name) {
        return checkName(name, "a step");
    }

    static String checkName(String name, String what) {
        Objects.requireNonNull(name, "name");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + (name.length() <= 100 ? name : name.substring(0, 100) + "...")
                    + "\" is not the name of " + what + ": use 1 to " + NAME_MAX
                    + " letters, digits, '_', '-', '.' and ':', starting with a letter or digit");
        }
        return name;
    }

    /** The bytes that count towards {@link #BYTES_MAX}. */
    public int bytes() {
        return bytes(name, value);
    }

    /** {@link #bytes()} of a step with this name and value. */
    public static int bytes(String name, @Nullable Payload value) {
        return name.length() + (value == null ? 0 : value.size());
    }
}
