package dev.orderly.servlet.exchange;

/** A part of an application that holds event streams open. */
public interface StreamingPart {
    /**
     * Ends the open event streams, and each later one at its begin. To be called before a graceful stop of the server,
     * which waits for requests that are under way. Does not block.
     */
    void endStreams();
}
