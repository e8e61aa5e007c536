package dev.orderly.dashboard.update;

/** An open event stream of a browser. Thread-safe, never blocks. */
public interface UpdateStream {
    /** Sends whole events; false if the stream is closed. */
    boolean write(byte[] events);

    /** Ends the stream; the browser connects again. */
    void close();
}
