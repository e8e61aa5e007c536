package dev.orderly;

/** Placeholder while the ports compile. */
public final class Orderly {
    private Orderly() {}

    public void close() {}
}
