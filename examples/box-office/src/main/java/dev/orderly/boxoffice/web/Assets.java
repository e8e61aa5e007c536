package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.web.Response.Asset;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files beside this class, read once. Only the listed files are served. */
final class Assets {
    private static final List<String> FILES = List.of("style.css", "live.js", "favicon.svg", "harbour.svg",
            "lanterns.svg", "tin.svg", "piano.svg");
    private static final Map<String, String> TYPES = Map.of("css", "text/css; charset=utf-8", "js",
            "text/javascript; charset=utf-8", "svg", "image/svg+xml");

    private final Map<String, Asset> assets = new HashMap<>();

    Assets() {
        for (String file : FILES) {
            assets.put(file, read(file));
        }
    }

    Optional<Asset> find(String name) {
        return Optional.ofNullable(assets.get(name));
    }

    private static Asset read(String file) {
        try (InputStream in = Assets.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + Assets.class.getName());
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String type = TYPES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "application/octet-stream");
            return new Asset(type, text, "\"" + Integer.toHexString(text.hashCode()) + "\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
