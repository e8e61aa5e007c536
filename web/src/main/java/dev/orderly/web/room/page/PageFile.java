package dev.orderly.web.room.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file that is part of a waiting page: a logo, CSS rules or a template.
 *
 * @param name names the file in problems; its extension gives the type of a logo
 * @param source opens the content
 */
public record PageFile(String name, Source source) {
    private static final int CSS_MAX = 64 << 10;

    public PageFile {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(source, "source");
    }

    /** The content of a file, from its begin each time. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    /** A file of the file system. */
    public static PageFile of(Path file) {
        return new PageFile(file.toString(), () -> Files.newInputStream(file));
    }

    /**
     * Reads CSS rules for {@link PageLook}.
     *
     * @throws IllegalArgumentException if the file is too large, not in UTF-8, has markup in it or cannot be read
     */
    public String css() {
        String css = text("The css", CSS_MAX, "use at most " + CSS_MAX);
        PageLook.checkCss(css);
        return css;
    }

    /** The text of a file in UTF-8. As {@link #bytes}. */
    String text(String what, int most, String remedy) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(what, most, remedy))).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(what + " " + name + " is not in UTF-8: save it in that encoding", e);
        }
    }

    /**
     * The bytes of a file.
     *
     * @param what the file's purpose, as the begin of a sentence
     * @throws IllegalArgumentException if there are more than {@code most} of them, or the file cannot be read
     */
    byte[] bytes(String what, int most, String remedy) {
        try (InputStream in = source.open()) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new IllegalArgumentException(what + " " + name + " has more than " + most + " bytes: " + remedy);
            }
            return bytes;
        } catch (IOException e) {
            throw new IllegalArgumentException(what + " " + name + " cannot be read: check that the file is there and"
                    + " readable", e);
        }
    }
}
