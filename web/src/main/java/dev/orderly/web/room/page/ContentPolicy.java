package dev.orderly.web.room.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content security policy of a page: its own styles and scripts are allowed by hash, and nothing is loaded from
 * elsewhere.
 */
final class ContentPolicy {
    /** The styles and scripts of a page: name, attributes, content. */
    static final Pattern BLOCK = Pattern.compile("<(style|script)\\b([^>]*)>(.*?)</\\1\\s*>", Pattern.DOTALL
            | Pattern.CASE_INSENSITIVE);

    private static final Pattern DATA = Pattern.compile("\\btype\\s*=\\s*[\"']?application/(ld\\+)?json",
            Pattern.CASE_INSENSITIVE);

    private ContentPolicy() {}

    static String of(String page) {
        StringBuilder styles = new StringBuilder();
        StringBuilder scripts = new StringBuilder();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (!isData(block.group(2))) {
                boolean style = block.group(1).toLowerCase(Locale.ROOT).equals("style");
                (style ? styles : scripts).append(" 'sha256-").append(hash(block.group(3))).append('\'');
            }
        }
        return "default-src 'none'; style-src" + orNone(styles) + "; script-src" + orNone(scripts)
                + "; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self';"
                + " base-uri 'none';"
                + " frame-ancestors 'self'";
    }

    /** Whether a script element with these attributes is data that no browser runs. */
    static boolean isData(String attributes) {
        return DATA.matcher(attributes).find();
    }

    private static String orNone(StringBuilder hashes) {
        return hashes.isEmpty() ? " 'none'" : hashes.toString();
    }

    private static String hash(String content) {
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(content.getBytes(
                    StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
