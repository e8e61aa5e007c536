package dev.orderly;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Orderly that the build recorded. */
@Internal(to = "dev.orderly")
public final class ProgramVersion {
    private static final String CURRENT = read();

    private ProgramVersion() {}

    /** The version, such as 0.1.0. */
    public static String current() {
        return CURRENT;
    }

    private static String read() {
        Properties properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("version.properties is missing beside " + ProgramVersion.class
                        + ": build the library whole");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "");
    }
}
