package dev.orderly.boxoffice.shop;

/** How the buyer pays: the demo lets one choose what goes wrong. */
public enum Card {
    /** Mostly works; sometimes the bank is slow or does not answer. */
    ANY,
    /** The bank fails at the first two attempts. */
    FLAKY,
    /** The bank takes its time. */
    SLOW
}
