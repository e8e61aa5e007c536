package dev.orderly.boxoffice.shop;

/** The buyer's card, which in the demo chooses the failures. */
public enum Card {
    /** Mostly works; sometimes the bank is slow or does not answer. */
    ANY,
    /** The bank fails at the first two attempts. */
    FLAKY,
    /** The bank takes its time. */
    SLOW
}
