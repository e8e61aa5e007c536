package dev.orderly.store;

/** A call of a store that observers see; one constant for each method of its ports that changes jobs or rooms. */
public enum StoreOperation {
    PUSH, CLAIM, SETTLE, PROGRESS, KEEP_STEP, AWAIT_EVENT, KEEP_EVENT, RELEASE, LEAVE, BEAT, UPKEEP, PAUSE, SET_KEY,
    REDRIVE, CANCEL, RUN_NOW, FORGET, OPEN_BATCH, CLOSE_BATCH, CANCEL_BATCH, FINISH_BATCHES, JOIN, ADMIT, RENEW, MOVE,
    DEPART, SYNC, GOVERN, CHANGE
}
