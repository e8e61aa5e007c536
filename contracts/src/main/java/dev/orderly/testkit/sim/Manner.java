package dev.orderly.testkit.sim;

/**
 * The behaviour of the visitors of a {@link Scenario}.
 *
 * @param coming their arrivals
 * @param missing the behaviour of visitors who are absent when called
 * @param staying the length of their stays
 * @param waiting their way of waiting
 * @param clean whether all keep their cookies, have one tab and patience, and tell the gate when they leave
 */
public record Manner(Coming coming, Missing missing, Staying staying, Waiting waiting, boolean clean) {
    /** Mixed behaviour, as people have. */
    public static final Manner MIXED = new Manner(Coming.SPIKES, Missing.CLOSES, Staying.EXPONENTIAL, Waiting.MIXED,
            false);

    /** The distribution of arrivals. */
    public enum Coming {
        /** Half of them evenly, half of them in a few spikes of two seconds. */
        SPIKES,
        /** Evenly over the span. */
        EVEN
    }

    /** The behaviour of absent visitors. */
    public enum Missing {
        /** They close the tab at some moment of their patience; one in five comes back. */
        CLOSES,
        /** They take a place and never ask again. */
        VANISHES
    }

    /** The length of stays inside. */
    public enum Staying {
        EXPONENTIAL,
        /** Evenly from half of the mean to one and a half times the mean. */
        EVEN,
        /** All the same. */
        FIXED
    }

    /** The way of waiting. */
    public enum Waiting {
        /** A random way for each visitor. */
        MIXED,
        /** Connected by events. */
        EVENTS,
        /** By polling. */
        POLLS
    }
}
