package dev.orderly.boxoffice.shop;

/** The answer of the box office to a large order: the event that its checkout awaits. */
public record Approval(boolean ok) {
    /** The name of the event. */
    static final String EVENT = "approval";
}
