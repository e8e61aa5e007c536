package dev.orderly.testkit.sim;

/**
 * How the visitors of a {@link Scenario} behave.
 *
 * @param coming when they arrive
 * @param missing what those do who will not be there when called
 * @param staying how long they stay inside
 * @param waiting how they ask while they wait
 * @param clean whether all keep their cookies, have one tab and patience, and say goodbye when they leave
 */
public record Manner(Coming coming, Missing missing, Staying staying, Waiting waiting, boolean clean) {
    /** As people are. */
    public static final Manner MIXED = new Manner(Coming.SPIKES, Missing.CLOSES, Staying.EXPONENTIAL, Waiting.MIXED,
            false);

    /** When visitors arrive. */
    public enum Coming {
        /** Half of them evenly, half of them in a few spikes of two seconds. */
        SPIKES,
        /** Evenly over the span. */
        EVEN
    }

    /** What absent visitors do. */
    public enum Missing {
        /** They close the tab at some moment of their patience; one in five comes back. */
        CLOSES,
        /** They take a place and never ask again. */
        VANISHES
    }

    /** How long visitors stay inside. */
    public enum Staying {
        EXPONENTIAL,
        /** Evenly from half of the mean to one and a half times of it. */
        EVEN,
        /** All the same. */
        FIXED
    }

    /** How visitors wait. */
    public enum Waiting {
        /** Each in one of the ways there are. */
        MIXED,
        /** Connected by events. */
        EVENTS,
        /** By asking again. */
        POLLS
    }
}
