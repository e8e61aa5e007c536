package dev.orderly.room;

/** What an operator lets a room do. */
public enum RoomMode {
    /** Visitors enter as the limits allow. */
    AUTO,
    /** Everybody passes; the line is kept all the same, to see who would have waited. */
    SHADOW,
    /** Nobody new enters, except those an operator admits; the line grows, passes are good. */
    HOLD,
    /** Everybody passes; no line is kept. */
    OPEN,
    /** Who is in line enters as the limits allow; who is not is turned away. */
    DRAIN,
    /** Who has no pass is turned away; tickets keep their places. */
    REJECT;

    /** Whether visitors are called to the door as the limits allow. */
    public boolean calls() {
        return this == AUTO || this == SHADOW || this == DRAIN;
    }

    /** Whether visitors enter whom an operator admits. */
    public boolean admits() {
        return calls() || this == HOLD;
    }

    /** Whether everybody passes. */
    public boolean letsAllPass() {
        return this == SHADOW || this == OPEN;
    }
}
