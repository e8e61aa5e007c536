package dev.orderly.dashboard.page;

import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.web.message.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** The style sheet and the scripts of all pages, in memory. Thread-safe. */
public final class Assets {
    private static final String OWN = "/dev/orderly/dashboard/asset/";
    private static final String WEBJARS = "/META-INF/resources/webjars/";
    private static final Map<String, String> FILES = files();
    private static final int HASH = 12;

    private final Map<String, Asset> assets = new LinkedHashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Asset(String type, byte[] content, String hash) {}

    /** Reads them. */
    public Assets() {
        FILES.forEach((name, resource) -> {
            byte[] content = read(resource);
            assets.put(name, new Asset(type(name), content, hash(content)));
        });
    }

    private static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("dashboard.css", OWN + "dashboard.css");
        files.put("theme.js", OWN + "theme.js");
        files.put("dashboard.js", OWN + "dashboard.js");
        files.put("charts.css", OWN + "charts.css");
        files.put("charts.js", OWN + "charts.js");
        files.put("icon.svg", OWN + "icon.svg");
        files.put("idiomorph.js", OWN + "idiomorph-0.8.0.min.js");
        files.put("htmx.js", WEBJARS + "htmx.org/2.0.10/dist/htmx.min.js");
        files.put("uplot.js", WEBJARS + "uplot/1.6.30/dist/uPlot.iife.min.js");
        files.put("uplot.css", WEBJARS + "uplot/1.6.30/dist/uPlot.min.css");
        return files;
    }

    /**
     * The path of a file below the dashboard's base; another path when its content changes.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public String link(String name) {
        Asset asset = assets.get(name);
        if (asset == null) {
            throw new IllegalArgumentException("There is no asset " + name);
        }
        return "/assets/" + asset.hash + "/" + name;
    }

    /**
     * The file of a link.
     *
     * @throws RefusedFormException 404 if there is none of this name
     */
    public Response answer(String hash, String name) {
        Asset asset = assets.get(name);
        if (asset == null) {
            throw RefusedFormException.unknown("The file " + name, "reload the page");
        }
        return Response.of(200, asset.type, asset.content).withHeader("Cache-Control",
                hash.equals(asset.hash) ? "public, max-age=31536000, immutable" : "no-cache");
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "text/javascript; charset=utf-8";
        };
    }

    private static byte[] read(String resource) {
        try (InputStream in = Assets.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(byte[] content) {
        try {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(MessageDigest.getInstance("SHA-256")
                    .digest(content)).substring(0, HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
