package dev.orderly.web.room.page;

import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A picture inside the page.
 *
 * @param dataUri the source of an {@code img}, in which no script can run; at most {@value #MAX} characters
 */
public record Logo(String dataUri) {
    /** The maximum length of the data URI, in characters. */
    public static final int MAX = 200 << 10;

    private static final Pattern RULE = Pattern.compile(
            "data:image/(?:svg\\+xml|png|jpeg|webp|gif|avif)[;,][A-Za-z0-9+/=;,:!*'()._~%&?#@$-]+");
    private static final Map<String, String> TYPES = Map.of("svg", "svg+xml", "png", "png", "jpg", "jpeg", "jpeg",
            "jpeg", "webp", "webp", "gif", "gif", "avif", "avif");

    /** @throws IllegalArgumentException if it is not a data URI of a picture, or too long */
    public Logo {
        if (dataUri.length() > MAX) {
            throw new IllegalArgumentException("The logo has " + dataUri.length() + " characters as a data URI: use at"
                    + " most " + MAX + ", it is sent with every waiting page");
        }
        if (!RULE.matcher(dataUri).matches()) {
            throw new IllegalArgumentException(
                    "The logo is no data URI of an SVG, PNG, JPEG, WebP, GIF or AVIF picture:"
                            + " write data:image/png;base64,... or name a file");
        }
    }

    /**
     * Reads a picture; the file name's extension gives its type.
     *
     * @throws IllegalArgumentException if its type is not supported, it is too large or cannot be read
     */
    public static Logo read(PageFile file) {
        String name = file.name();
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        if (type == null) {
            throw new IllegalArgumentException("The logo " + name + " is of no known kind: use a .svg, .png, .jpg,"
                    + " .webp, .gif or .avif file");
        }
        byte[] picture = file.bytes("The logo", MAX, "use a file of less than " + MAX * 3 / 4
                + ", it is sent with every waiting page");
        return new Logo("data:image/" + type + ";base64," + Base64.getEncoder().encodeToString(picture));
    }
}
