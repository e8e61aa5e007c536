package dev.orderly.room;

/** The mode of a room, set by an operator. */
public enum RoomMode {
    /** Visitors enter as the limits allow. */
    AUTO,
    /** All visitors pass; the line is kept all the same, to see which visitors would have waited. */
    SHADOW,
    /** Only visitors whom an operator admits enter; the line grows, passes are good. */
    HOLD,
    /** All visitors pass; no line is kept. */
    OPEN,
    /** Visitors in line enter as the limits allow; other visitors are turned away. */
    DRAIN,
    /** Visitors without a pass are turned away; tickets keep their places. */
    REJECT;

    /** Whether visitors are called to the door as the limits allow. */
    public boolean calls() {
        return this == AUTO || this == SHADOW || this == DRAIN;
    }

    /** Whether the visitors whom an operator admits enter. */
    public boolean admits() {
        return calls() || this == HOLD;
    }

    /** Whether all visitors pass. */
    public boolean letsAllPass() {
        return this == SHADOW || this == OPEN;
    }
}
