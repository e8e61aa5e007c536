package dev.orderly.config.source;

import java.util.Locale;

/** Key paths, and the names of their variables. */
public final class KeyPaths {
    private KeyPaths() {}

    public static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** The path of a list's item, counted from 1. */
    public static String item(String path, int index) {
        return path + "[" + (index + 1) + "]";
    }

    /** {@code edge.port} is {@code ORDERLY_EDGE_PORT}. */
    public static String variable(String path) {
        return "ORDERLY_" + path.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
